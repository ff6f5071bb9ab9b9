/**
 * Texts that bodies of the API have in common, for compressing them: each then costs two or three bytes. A pack can only
 * be read with the dictionary that it was made with, so this one never changes; a better one is another dictionary.
 */
export const dictionary = Buffer.from(
  [
    '{"message":"Unauthorized: Invalid secret key","data":null,"error":"not_approved"}{"message":"Not found","data":null,',
    '"error":"not_found"}{"message":"User wallet funded successfully","data":null}{"username":"","amount":1,"currency":"usdt"}',
    '{"message":"Refund created","data":{"id":"01","payout_id":null,"status":"requested","destination":"0x","reason":"',
    '{"amount":"10.00","currency":"PI","payment_type":"purchase","item_list":[{"name":"","quantity":1,"price":}],"payment_note":"',
    '{"amount":10,"currency":"USDT","payment_type":"deposit","payment_reference":"","customer_email":"@gmail.com",',
    '"success_url":"https://","failure_url":"https://www.","meta_data":"{\\"order_id\\":\\"{"outcome":"success"}',
    '{"message":"Payments","data":{"items":[{"next_cursor":null}}{"message":"Payment","data":{"id":"01',
    '{"message":"Payment information","data":{"amount":1,"currency":"USDC","payment_status":"pending"}}',
    '{"message":"Payment simulated","data":{"id":"01","payment_reference":"PAY_01","amount":"1.5","currency":"USDC",',
    '"payment_status":"completed","reason":null,"payment_type":"deposit","amount_due":"1","service_fee":"0.1",',
    '"fee_payer":"merchant","customer_email":"@example.com","customer_reference":"customer-","success_url":"https://",',
    '"failure_url":"https://","item_list":null,"meta_data":"{\\"order\\":","payment_note":null,"deadline":"202',
    '","created_at":"202","updated_at":"202","PaymentURL":"https://pay.example/pay?reference=PAY_01&app=01&token=[redacted]",',
    '"amount_received":"1","transfers":[{"transaction":"0x","asset":"usdc-erc20","amount":"1","confirmations":3,"needed":3,',
    '"state":"final","network":"Ethereum","sender":"0x","transaction_url":null,"sender_url":null}],',
    '"timeline":[{"at":"202","status":"unlinked","reason":null},{"at":"202","status":"completed","reason":null}],"refunds":[]}}',
    '\x000{"amount":1.5,"currency":"USDC","payment_type":"deposit","customer_email":"@example.com",',
    '"customer_reference":"customer-","success_url":"https://","failure_url":"https://","meta_data":"{\\"order\\":}"}\x00',
    '{"message":"Payment created","data":{"PaymentData":{"id":"01","payment_reference":"PAY_01","amount":1.5,',
    '"currency":"USDC","payment_status":"unlinked","payment_type":"deposit","created_at":"202"},',
    '"PaymentURL":"https://pay.example/pay?reference=PAY_01&app=01&token=[redacted]"}}',
  ].join(''),
);
