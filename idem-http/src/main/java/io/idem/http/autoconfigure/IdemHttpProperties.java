package io.idem.http.autoconfigure;

import io.idem.InboxTransaction;
import io.idem.http.HeaderPolicy;
import io.idem.http.KeyRules;
import io.idem.http.StoredAnswers;
import io.idem.http.WebhookPreset;
import io.idem.http.internal.admission.FingerprintRules;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code idem.http}. The settings that a route may change are the defaults of all routes.
 *
 * @param enabled whether the filter is installed
 * @param headers names of headers
 * @param scope scope of the records; default http. and spring.application.name
 * @param tenant source of the tenant; default the authenticated principal, which needs Spring Security, a TenantResolver bean, or
 *     this setting
 * @param tenantFrom values that tenant needs
 * @param tenantParts parts of requests that belong to the tenant too: host, header:NAME and cookie:NAME; default none
 * @param filtersBehind names or classes of filters, and classes of interceptors, of the application that may stand behind the
 *     idempotency filter with one tenant for all callers, because they refuse no caller
 * @param store answers that are stored; all others release the key
 * @param minKeyLength length of the shortest key
 * @param maxKeyLength length of the longest key
 * @param keyFormat form of the keys
 * @param waitFor longest time that a duplicate of a running request waits for its answer before it is refused, on most servlet applications
 *     without a thread
 * @param maxWaiting largest number of requests of this instance that wait for others at a time; further duplicates are refused at once
 * @param inProgressStatus status with which a duplicate of a running request is refused, 409 or 503
 * @param maxRequestBody largest request body that can be compared with a retry's; a larger one gets 413
 * @param maxResponseBody largest response body that is stored; a larger one is replayed without body
 * @param storedHeaders response headers that are stored
 * @param fingerprint parts of a request that a retry must repeat; default method, path, query and body, as sent
 * @param problemDocs page that explains the problem types: a URI, or a path within the application
 * @param routes the protected routes, beside annotated handlers and IdempotentRoute beans
 */
@ConfigurationProperties("idem.http")
record IdemHttpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Headers headers,
        @Nullable String scope,
        @Nullable TenantMode tenant,
        @DefaultValue TenantFrom tenantFrom,
        @DefaultValue List<String> tenantParts,
        @DefaultValue List<String> filtersBehind,
        @DefaultValue("DETERMINISTIC") StoredAnswers store,
        @DefaultValue("1") int minKeyLength,
        @DefaultValue("255") int maxKeyLength,
        @DefaultValue("ANY") KeyRules.Format keyFormat,
        @DefaultValue("0s") Duration waitFor,
        @DefaultValue("200") int maxWaiting,
        @DefaultValue("409") int inProgressStatus,
        @DefaultValue("1MB") DataSize maxRequestBody,
        @DefaultValue("256KB") DataSize maxResponseBody,
        @DefaultValue StoredHeaders storedHeaders,
        @Nullable Fingerprint fingerprint,
        @DefaultValue("/idem/problems.html") String problemDocs,
        @DefaultValue List<Route> routes) {

    /**
     * Names of headers.
     *
     * @param key name of the header that carries the key, in requests and in calls to the hosts of idem.http.outgoing
     * @param replayed name of the response header that marks a replay; its value is true
     * @param retention name of the response header that tells clients for how many seconds a route keeps its answers; default none
     */
    record Headers(
            @DefaultValue(DEFAULT_KEY) String key,
            @DefaultValue("Idempotency-Replayed") String replayed,
            @Nullable String retention) {

        static final String DEFAULT_KEY = "Idempotency-Key";
    }

    /**
     * The parts of a request that a retry must repeat, beside method and path.
     *
     * @param query whether the query counts
     * @param canonicalJson whether a JSON body counts by its value rather than by its bytes
     * @param headers request headers that count
     * @param leaveOut JSON pointers of fields that do not count, with * for every member or element; needs canonical JSON
     */
    record Fingerprint(
            @DefaultValue("true") boolean query,
            @DefaultValue("false") boolean canonicalJson,
            @DefaultValue List<String> headers,
            @DefaultValue List<String> leaveOut) {

        FingerprintRules rules() {
            return new FingerprintRules(query, canonicalJson, headers, leaveOut);
        }
    }

    /**
     * The place where the tenant is found.
     *
     * @param claim for JWT_CLAIM: the claim that names the tenant
     * @param header for API_KEY: the header that carries the API key; for PROXY_HEADER: the header in which the proxy
     *     names the tenant
     * @param trustedProxies for PROXY_HEADER, in the intake service: addresses and ranges, as 10.0.0.0/8
     * @param apiKeys for API_KEY: the tenants' keys
     */
    record TenantFrom(
            @Nullable String claim,
            @Nullable String header,
            @DefaultValue List<String> trustedProxies,
            @DefaultValue List<ApiKey> apiKeys) {

        /**
         * A tenant's API key.
         *
         * @param tenant tenant that owns the key
         * @param sha256 digest of the key in hexadecimal digits
         */
        record ApiKey(
                @DefaultValue("") String tenant,
                @DefaultValue("") String sha256) {

            @Override
            public String toString() {
                return "ApiKey of " + tenant;
            }
        }
    }

    /**
     * The response headers that are stored. Cookies, credentials, hop-by-hop and trace headers are never stored.
     *
     * @param allow names to store; empty for all that are not denied
     * @param deny names not to store
     */
    record StoredHeaders(
            @DefaultValue List<String> allow, @DefaultValue List<String> deny) {

        HeaderPolicy policy() {
            return HeaderPolicy.of(allow, deny);
        }
    }

    /**
     * A protected route. Settings that are not set are as for all routes.
     *
     * @param path path pattern, as in @RequestMapping without context path and servlet path
     * @param methods methods that are protected; PUT and DELETE only if they are listed
     * @param required whether a request without a key is refused; default true
     * @param scope scope of the records
     * @param store answers that are stored
     * @param minKeyLength length of the shortest key
     * @param keyFormat form of the keys
     * @param waitFor longest time that a duplicate of a running request waits
     * @param inProgressStatus status with which a duplicate of a running request is refused, 409 or 503
     * @param handOff whether the handler only hands work off to a broker, with its confirmation; default false
     * @param inbox whether the handler runs inside a transaction of the outbox, which also keeps its answer and its messages; default
     *     false
     * @param inboxTransaction part of the work for which the transaction of the inbox is open: the whole work, or its last phase;
     *     default whole
     * @param retention time for which the answer is kept; default that of its scope
     * @param maxAttempts number of attempts that may fail before the key is exhausted; 0 for no limit; default that of its scope
     * @param maxRequestBody largest request body
     * @param maxResponseBody largest response body that is stored
     * @param fingerprint parts of a request that a retry must repeat; in place of those for all routes, and of none where the key comes
     *     from the request
     * @param key place of the key in requests that bring one with them; default the key header
     * @param signature verified-before if something in front of the filter verifies who sent a request with such a key
     * @param signingSecrets secrets with which the sender of the preset signs, a text or a list; while one replaces another, both. Of several senders:
     *     signing-secrets.NAME for each, whose name becomes part of the key
     */
    record Route(
            String path,
            @DefaultValue({"POST", "PATCH"}) Set<String> methods,
            @DefaultValue("true") boolean required,
            @Nullable String scope,
            @Nullable StoredAnswers store,
            @Nullable Integer minKeyLength,
            KeyRules.@Nullable Format keyFormat,
            @Nullable Duration waitFor,
            @Nullable Integer inProgressStatus,
            @DefaultValue("false") boolean handOff,
            @DefaultValue("false") boolean inbox,
            @DefaultValue("whole") InboxTransaction inboxTransaction,
            @Nullable Duration retention,
            @Nullable Integer maxAttempts,
            @Nullable DataSize maxRequestBody,
            @Nullable DataSize maxResponseBody,
            @Nullable Fingerprint fingerprint,
            @Nullable KeyPlace key,
            @Nullable SignatureMode signature,
            @DefaultValue SigningSecrets signingSecrets) {

        /** Returns a text without the secrets. */
        @Override
        public String toString() {
            return "Route " + path;
        }
    }

    /**
     * The place of the key in requests that bring one with them; one of the three.
     *
     * @param preset sender or format whose rules apply
     * @param header name of the header
     * @param pointers JSON pointers to the values in the body that are the key together
     */
    record KeyPlace(
            @Nullable WebhookPreset preset,
            @Nullable String header,
            @DefaultValue List<String> pointers) {}

    /** The verifier of the sender of a request, if no check of the route does it. */
    enum SignatureMode {
        /** Something in front of the filter, for example Spring Security or a gateway. */
        VERIFIED_BEFORE
    }
}
