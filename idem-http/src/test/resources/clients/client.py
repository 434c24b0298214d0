"""Sends one POST with an idempotency key by requests and urllib3's Retry, which gives up after 0.6 s and retries.

Prints the status that its user sees, or the error. Arguments: URL of the server, key.
"""

import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

server, key = sys.argv[1:]
session = requests.Session()
retry = Retry(total=5, backoff_factor=0.2, allowed_methods=None, status_forcelist=[429, 502, 503, 504])
session.mount("http://", HTTPAdapter(max_retries=retry))
try:
    answer = session.post(
        server + "/payments", json={"amount": 100}, headers={"Idempotency-Key": key}, timeout=0.6
    )
    print(answer.status_code)
except requests.RequestException as error:
    print("error")
    print(error, file=sys.stderr)
