package io.idem.http;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import java.time.Duration;
import java.util.Optional;

/**
 * How one route is protected. Immutable; the application's defaults come from {@code idem.http}, refine them with the
 * {@code with} methods.
 *
 * @param scope of the records
 * @param required whether a request without a key is refused; otherwise it runs unprotected
 * @param keyRules what a key must look like
 * @param waitFor how long a duplicate of a running request waits for its answer; zero for a 409 at once
 * @param storing which answers are stored
 * @param handOff whether the handler only hands work off to a broker and has its confirmation when it returns: then an answer that
 *     cannot be recorded is given all the same, because a retry publishes again and the consumer deduplicates
 * @param maxRequestBody bytes of a request body that can be compared with a retry's
 * @param maxResponseBody bytes of a response body that are stored
 * @param check looks at requests before their key is taken
 * @param policy lease, retention and number of attempts
 * @param fingerprinter digests the route's requests; empty for the application's
 * @param replayGate is asked before a stored answer is given again
 * @param tenants say whose keys the route's requests carry; empty for the application's
 * @param inbox whether the handler runs inside a transaction of the application's {@link io.idem.spi.Outbox}, which also keeps its answer
 *     and its messages; servlet applications only
 */
public record RouteOptions(
        Scope scope,
        boolean required,
        KeyRules keyRules,
        Duration waitFor,
        StoringPolicy storing,
        boolean handOff,
        int maxRequestBody,
        int maxResponseBody,
        RequestCheck check,
        ExecutionPolicy policy,
        Optional<RequestFingerprinter> fingerprinter,
        ReplayGate replayGate,
        Optional<TenantResolver> tenants,
        boolean inbox) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public RouteOptions {
        require(!waitFor.isNegative(), "wait " + waitFor + " is negative; use 0s to answer 409 at once");
        require(maxRequestBody >= 0, "max-request-body " + maxRequestBody + " is negative");
        require(maxResponseBody >= 0, "max-response-body " + maxResponseBody + " is negative");
        require(
                !inbox || replayGate == ReplayGate.REPLAY,
                "a route with an inbox cannot open its records again: its row says that the work was done, and stays");
    }

    /** Options of a route whose requests are digested and whose tenants are found as the application's, and whose stored answers are given again. */
    public RouteOptions(
            Scope scope,
            boolean required,
            KeyRules keyRules,
            Duration waitFor,
            StoringPolicy storing,
            boolean handOff,
            int maxRequestBody,
            int maxResponseBody,
            RequestCheck check,
            ExecutionPolicy policy) {
        this(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                Optional.empty(),
                ReplayGate.REPLAY,
                Optional.empty(),
                false);
    }

    /** The same with another scope. */
    public RouteOptions withScope(Scope value) {
        return new RouteOptions(
                value,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with or without the need of a key. */
    public RouteOptions withRequired(boolean value) {
        return new RouteOptions(
                scope,
                value,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with other rules for keys. */
    public RouteOptions withKeyRules(KeyRules value) {
        return new RouteOptions(
                scope,
                required,
                value,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with another time to wait for a running request. */
    public RouteOptions withWaitFor(Duration value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                value,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same storing other answers. */
    public RouteOptions withStoring(StoringPolicy value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                value,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same as a hand-off route or not. */
    public RouteOptions withHandOff(boolean value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                value,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with another limit of request bodies, in bytes. */
    public RouteOptions withMaxRequestBody(int value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                value,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with another limit of stored bodies, in bytes. */
    public RouteOptions withMaxResponseBody(int value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                value,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with another check. */
    public RouteOptions withCheck(RequestCheck value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                value,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with other durations. */
    public RouteOptions withPolicy(ExecutionPolicy value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                value,
                fingerprinter,
                replayGate,
                tenants,
                inbox);
    }

    /** The same with requests digested otherwise, for example by {@link FingerprintRules}. */
    public RouteOptions withFingerprinter(RequestFingerprinter value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                Optional.of(value),
                replayGate,
                tenants,
                inbox);
    }

    /** The same with another gate before its replays. */
    public RouteOptions withReplayGate(ReplayGate value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                value,
                tenants,
                inbox);
    }

    /** The same for keys of other tenants than the application's resolver finds. */
    public RouteOptions withTenants(TenantResolver value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                Optional.of(value),
                inbox);
    }

    /** The same with its handler inside a transaction of the inbox or not. */
    public RouteOptions withInbox(boolean value) {
        return new RouteOptions(
                scope,
                required,
                keyRules,
                waitFor,
                storing,
                handOff,
                maxRequestBody,
                maxResponseBody,
                check,
                policy,
                fingerprinter,
                replayGate,
                tenants,
                value);
    }

    private static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
