"""Typed client of the Florin payment gateway, and the check of its webhooks. Nothing but the standard library."""

from ._client import Client as Client
from ._destination import AgreedDestination as AgreedDestination
from ._destination import AgreedSplit as AgreedSplit
from ._destination import AgreedTreasury as AgreedTreasury
from ._destination import destination_address as destination_address
from ._destination import payment_words as payment_words
from ._destination import verify_destination as verify_destination
from ._errors import DestinationError as DestinationError
from ._errors import ErrorDetail as ErrorDetail
from ._errors import FlorinError as FlorinError
from ._errors import WebhookVerificationError as WebhookVerificationError
from ._json import Amount as Amount
from ._json import Number as Number
from ._lost_payment import CreateResult as CreateResult
from ._pages import Page as Page
from ._webhook import WebhookEvent as WebhookEvent
from ._webhook import verify_webhook as verify_webhook
from ._webhook_parts import Secrets as Secrets
from ._webhook_parts import WebhookHeaders as WebhookHeaders
from .models import *
