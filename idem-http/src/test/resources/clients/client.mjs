// Sends one POST with an idempotency key by the client that is named, which gives up after 0.6 s and retries. Prints the status that its
// user sees, or the error. Arguments: client, URL of the server, key.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [client, server, key] = process.argv.slice(2);
const resolve = createRequire(process.env.IDEM_HTTP_CLIENTS + '/');
const load = async name => {
  const module = await import(pathToFileURL(resolve.resolve(name)));
  return module.default ?? module;
};
const millis = 600;
const retries = 5;
const payment = { amount: 100 };
const headers = { 'Idempotency-Key': key, 'Content-Type': 'application/json' };

const clients = {
  async axios() {
    const axios = await load('axios');
    const { default: axiosRetry, exponentialDelay, isNetworkError, isRetryableError } = await load('axios-retry');
    const http = axios.create({ timeout: millis });
    axiosRetry(http, {
      retries,
      retryDelay: exponentialDelay,
      shouldResetTimeout: true,
      retryCondition: error => isNetworkError(error) || error.code === 'ECONNABORTED' || isRetryableError(error),
    });
    return (await http.post(server + '/payments', payment, { headers })).status;
  },
  async got() {
    const module = await import(pathToFileURL(process.env.IDEM_HTTP_CLIENTS + '/node_modules/got/dist/source/index.js'));
    const retry = { limit: retries, methods: ['POST'], maxRetryAfter: 10_000 };
    const answer = await module.default.post(server + '/payments', {
      json: payment, headers, retry, timeout: { request: millis },
    });
    return answer.statusCode;
  },
  async ky() {
    const module = await import(pathToFileURL(process.env.IDEM_HTTP_CLIENTS + '/node_modules/ky/distribution/index.js'));
    const retry = { limit: retries, methods: ['post'], retryOnTimeout: true };
    return (await module.default.post(server + '/payments', { json: payment, headers, retry, timeout: millis })).status;
  },
  async stripe() {
    const Stripe = await load('stripe');
    const { hostname, port } = new URL(server);
    const stripe = new Stripe('sk_test_1', {
      host: hostname, port, protocol: 'http', timeout: millis, maxNetworkRetries: retries, telemetry: false,
    });
    const intent = await stripe.paymentIntents.create({ amount: 100, currency: 'eur' }, { idempotencyKey: key });
    return intent.lastResponse.statusCode;
  },
  async square() {
    const { SquareClient } = resolve('square');
    const square = new SquareClient({ token: 'token', environment: server });
    const request = { idempotencyKey: key, sourceId: 'cnon:card-nonce-ok' };
    const options = { timeoutInSeconds: millis / 1000, maxRetries: retries, headers: { 'Idempotency-Key': key } };
    const answer = await square.payments.create(request, options).withRawResponse();
    return answer.rawResponse.status;
  },
};

try {
  console.log(await clients[client]());
} catch (error) {
  const status = error.response?.status ?? error.response?.statusCode ?? error.statusCode;
  console.log(status ?? 'error');
  console.error(error);
}
