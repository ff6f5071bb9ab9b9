"""Runs a Python verification that we publish, on lines of JSON: `run_snippet.py <its file> <its function>`."""

import base64
import json
import os
import runpy
import sys


class Headers(dict):
    """Finds a name in whatever case, as the headers of web frameworks do."""

    def get(self, name, default=None):
        return super().get(name.lower(), default)


path, function = sys.argv[1:]
os.environ["FLORIN_SECRET_KEY"] = "sk_test_of_nobody"
published = runpy.run_path(path)
verify = published[function]

for line in sys.stdin:
    case = json.loads(line)
    body, headers = base64.b64decode(case["body"]), Headers(case["headers"])
    if function == "is_genuine":
        verdict = {"both": verify(body, headers, case["secret_key"], case["endpoint_secret"])}
    else:
        verify.__globals__["SECRET_KEY"] = case["secret_key"]
        verdict = {"plain": verify(body, headers) is not None}
    print(json.dumps(verdict), flush=True)
