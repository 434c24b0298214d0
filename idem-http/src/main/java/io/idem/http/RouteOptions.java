package io.idem.http;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

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
 * @param replayCondition is asked before a stored answer is given again
 * @param tenants say whose keys the route's requests carry; empty for the application's
 * @param inbox whether the handler runs inside a transaction of the application's {@link io.idem.Outbox}, which also keeps its answer
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
        ReplayCondition replayCondition,
        Optional<TenantResolver> tenants,
        boolean inbox) {

    /** Largest request body of {@link #of}, in bytes. */
    public static final int DEFAULT_MAX_REQUEST_BODY = 1 << 20;

    /** Largest stored response body of {@link #of}, in bytes. */
    public static final int DEFAULT_MAX_RESPONSE_BODY = 1 << 18;

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
                !inbox || replayCondition == ReplayCondition.REPLAY,
                "a route with an inbox cannot open its records again: its row says that the work was done, and stays");
    }

    /**
     * Options as they are by default: a key of any kind is required, a duplicate of a running request gets 409 at once, {@link
     * StoredAnswers#DETERMINISTIC} answers are stored.
     */
    public static RouteOptions of(Scope scope, ExecutionPolicy policy) {
        return new RouteOptions(
                scope,
                true,
                KeyRules.DEFAULT,
                Duration.ZERO,
                StoredAnswers.DETERMINISTIC,
                false,
                DEFAULT_MAX_REQUEST_BODY,
                DEFAULT_MAX_RESPONSE_BODY,
                RequestCheck.NONE,
                policy,
                Optional.empty(),
                ReplayCondition.REPLAY,
                Optional.empty(),
                false);
    }

    /** The same with another scope. */
    public RouteOptions withScope(Scope value) {
        return changed(draft -> draft.scope = value);
    }

    /** The same with or without the need of a key. */
    public RouteOptions withRequired(boolean value) {
        return changed(draft -> draft.required = value);
    }

    /** The same with other rules for keys. */
    public RouteOptions withKeyRules(KeyRules value) {
        return changed(draft -> draft.keyRules = value);
    }

    /** The same with another time to wait for a running request. */
    public RouteOptions withWaitFor(Duration value) {
        return changed(draft -> draft.waitFor = value);
    }

    /** The same storing other answers. */
    public RouteOptions withStoring(StoringPolicy value) {
        return changed(draft -> draft.storing = value);
    }

    /** The same as a hand-off route or not. */
    public RouteOptions withHandOff(boolean value) {
        return changed(draft -> draft.handOff = value);
    }

    /** The same with another limit of request bodies, in bytes. */
    public RouteOptions withMaxRequestBody(int value) {
        return changed(draft -> draft.maxRequestBody = value);
    }

    /** The same with another limit of stored bodies, in bytes. */
    public RouteOptions withMaxResponseBody(int value) {
        return changed(draft -> draft.maxResponseBody = value);
    }

    /** The same with another check. */
    public RouteOptions withCheck(RequestCheck value) {
        return changed(draft -> draft.check = value);
    }

    /** The same with other durations. */
    public RouteOptions withPolicy(ExecutionPolicy value) {
        return changed(draft -> draft.policy = value);
    }

    /** These options with requests digested by another fingerprinter. */
    public RouteOptions withFingerprinter(RequestFingerprinter value) {
        return changed(draft -> draft.fingerprinter = Optional.of(value));
    }

    /** These options with another condition of their replays. */
    public RouteOptions withReplayCondition(ReplayCondition value) {
        return changed(draft -> draft.replayCondition = value);
    }

    /** The same for keys of other tenants than the application's resolver finds. */
    public RouteOptions withTenants(TenantResolver value) {
        return changed(draft -> draft.tenants = Optional.of(value));
    }

    /** The same with its handler inside a transaction of the inbox or not. */
    public RouteOptions withInbox(boolean value) {
        return changed(draft -> draft.inbox = value);
    }

    private RouteOptions changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    private static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }

    /** Options while one of them is changed. */
    private static final class Draft {

        private Scope scope;
        private boolean required;
        private KeyRules keyRules;
        private Duration waitFor;
        private StoringPolicy storing;
        private boolean handOff;
        private int maxRequestBody;
        private int maxResponseBody;
        private RequestCheck check;
        private ExecutionPolicy policy;
        private Optional<RequestFingerprinter> fingerprinter;
        private ReplayCondition replayCondition;
        private Optional<TenantResolver> tenants;
        private boolean inbox;

        Draft(RouteOptions from) {
            scope = from.scope;
            required = from.required;
            keyRules = from.keyRules;
            waitFor = from.waitFor;
            storing = from.storing;
            handOff = from.handOff;
            maxRequestBody = from.maxRequestBody;
            maxResponseBody = from.maxResponseBody;
            check = from.check;
            policy = from.policy;
            fingerprinter = from.fingerprinter;
            replayCondition = from.replayCondition;
            tenants = from.tenants;
            inbox = from.inbox;
        }

        RouteOptions options() {
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
                    replayCondition,
                    tenants,
                    inbox);
        }
    }
}
