package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.InboxTransaction;
import io.idem.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The options by which one route is protected. Immutable; the application's defaults come from {@code idem.http}, a route changes them
 * with a {@link Builder}.
 *
 * @param scope scope of the records
 * @param required whether a request without a key is refused; otherwise it runs unprotected
 * @param keyRules rules for keys
 * @param waitFor longest time that a duplicate of a running request waits for its answer; zero for a refusal at once
 * @param inProgressStatus status of the refusal of a duplicate of a running request: 409 or 503
 * @param storing choice of the answers that are stored
 * @param handOff whether the handler only hands work off to a broker and has its confirmation when it returns: then an answer that
 *     cannot be recorded is given all the same, because a retry publishes again and the consumer deduplicates
 * @param maxRequestBody largest request body that can be compared with a retry's, in bytes
 * @param maxResponseBody largest response body that is stored, in bytes
 * @param check check of requests before their key is taken
 * @param policy lease, retention and number of attempts
 * @param fingerprinter fingerprinter of the route's requests; empty for the application's
 * @param replayCondition condition that is checked before a stored answer is replayed
 * @param tenants resolver of the tenants of the route's requests; empty for the application's
 * @param inbox whether the handler runs inside a transaction of the application's {@link io.idem.Outbox}, which also keeps its answer
 *     and its messages; servlet applications only
 * @param keySource source of keys that requests bring with them; empty for the key header
 * @param verifiedBefore whether something in front of the filter has verified who sent a request
 * @param bodyAsSent whether the handler takes the body as the bytes that were sent; servlet applications only
 */
public record RouteOptions(
        Scope scope,
        boolean required,
        KeyRules keyRules,
        Duration waitFor,
        int inProgressStatus,
        StoringPolicy storing,
        boolean handOff,
        int maxRequestBody,
        int maxResponseBody,
        RequestCheck check,
        ExecutionPolicy policy,
        Optional<RequestFingerprinter> fingerprinter,
        ReplayCondition replayCondition,
        Optional<TenantResolver> tenants,
        boolean inbox,
        Optional<KeySource> keySource,
        boolean verifiedBefore,
        boolean bodyAsSent) {

    /** The fingerprinter by which all requests are the same. */
    static final RequestFingerprinter NOT_COMPARED = (request, body) -> Fingerprint.NONE;

    /** The one resolver of one tenant for all callers, which a check at start tells from others. */
    static final TenantResolver ONE_TENANT = request -> Optional.of(IdempotencyKey.DEFAULT_TENANT);

    /** Largest request body unless configured, in bytes. */
    public static final int DEFAULT_MAX_REQUEST_BODY = 1 << 20;

    /** Largest stored response body unless configured, in bytes. */
    public static final int DEFAULT_MAX_RESPONSE_BODY = 1 << 18;

    /**
     * Creates options; {@link #builder} is the usual way.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public RouteOptions {
        require(!waitFor.isNegative(), "wait " + waitFor + " is negative; use 0s to refuse duplicates at once");
        require(
                inProgressStatus == 409 || inProgressStatus == 503,
                "in-progress-status " + inProgressStatus + " is neither 409 nor 503; use one of the two");
        require(maxRequestBody >= 0, "max-request-body " + maxRequestBody + " is negative");
        require(maxResponseBody >= 0, "max-response-body " + maxResponseBody + " is negative");
        require(
                inbox || policy.attempts().transaction() == InboxTransaction.WHOLE,
                "a route whose transaction is its last phase needs an inbox; set inbox too, or idem.store=inbox");
        require(
                !inbox || replayCondition == ReplayCondition.REPLAY,
                "a route with an inbox, by its own options or by idem.store=inbox, cannot have a replayCondition, which"
                        + " opens records again: its row says that the work was done, and stays");
        keySource.ifPresent(source -> requireWholeList(source, fingerprinter));
        boolean keyed = keySource.isPresent();
        require(
                !keyed || required,
                "required=false runs what has no key unprotected, which a route that takes its key from the request cannot want;"
                        + " remove one of the two");
        require(
                keyed || !verifiedBefore,
                "signature=verified-before has an effect only with a key from the request; set key");
        require(
                check != RequestCheck.NONE
                        || verifiedBefore
                        || !keySource.map(KeySource::requiresSignature).orElse(false),
                "the key is taken from the request, and nothing verifies who sent it; set signing-secrets if the preset has"
                        + " signatures that idem verifies, a check in code, or signature=verified-before if something in front"
                        + " of the filter verifies the sender");
    }

    private static void requireWholeList(KeySource source, Optional<RequestFingerprinter> fingerprinter) {
        boolean compared = fingerprinter.filter(NOT_COMPARED::equals).isEmpty();
        Optional<String> element = source instanceof KeyParts parts ? parts.elementOfList() : Optional.empty();
        require(
                compared || element.isEmpty(),
                "key.pointers \"" + element.orElse("")
                        + "\" takes the key of one element of a list, so that a longer list would be a duplicate and its other"
                        + " elements would be lost; hand each element to a listener under its own key, or compare the body"
                        + " with fingerprint.query=true");
    }

    /** Returns a builder with defaults for everything but scope and policy. */
    public static Builder builder(Scope scope, ExecutionPolicy policy) {
        return new Builder(scope, policy);
    }

    /** Returns a builder that starts from these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * Returns whether a request that is protected by these options lacks what the other options would give it: the key that it brings
     * with it, or the check of its sender.
     *
     * @param other options of a route for the same requests
     */
    boolean isWeakerThan(RouteOptions other) {
        boolean unkeyed = keySource.isEmpty() && other.keySource.isPresent();
        boolean unchecked = check == RequestCheck.NONE && !verifiedBefore && other.check != RequestCheck.NONE;
        return unkeyed || unchecked;
    }

    /**
     * Collects the values of {@link RouteOptions}. Defaults: a key of any form is required, a duplicate of a running request gets 409 at
     * once, {@link StoredAnswers#DETERMINISTIC} answers are stored. Each method changes this builder. Not thread-safe.
     */
    public static final class Builder {

        private Scope scope;
        private ExecutionPolicy policy;
        private boolean required = true;
        private KeyRules keyRules = KeyRules.DEFAULT;
        private Duration waitFor = Duration.ZERO;
        private int inProgressStatus = HttpProblem.IN_PROGRESS.status();
        private StoringPolicy storing = StoredAnswers.DETERMINISTIC;
        private boolean handOff;
        private int maxRequestBody = DEFAULT_MAX_REQUEST_BODY;
        private int maxResponseBody = DEFAULT_MAX_RESPONSE_BODY;
        private RequestCheck signature = RequestCheck.NONE;
        private RequestCheck check = RequestCheck.NONE;
        private Optional<RequestFingerprinter> fingerprinter = Optional.empty();
        private ReplayCondition replayCondition = ReplayCondition.REPLAY;
        private Optional<TenantResolver> tenants = Optional.empty();
        private boolean inbox;
        private Optional<KeySource> keySource = Optional.empty();
        private boolean verifiedBefore;
        private boolean bodyAsSent;

        private Builder(Scope scope, ExecutionPolicy policy) {
            this.scope = scope;
            this.policy = policy;
        }

        private Builder(RouteOptions from) {
            scope = from.scope;
            required = from.required;
            keyRules = from.keyRules;
            waitFor = from.waitFor;
            inProgressStatus = from.inProgressStatus;
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
            keySource = from.keySource;
            verifiedBefore = from.verifiedBefore;
            bodyAsSent = from.bodyAsSent;
        }

        /** Sets the scope of the records. */
        public Builder scope(Scope value) {
            scope = value;
            return this;
        }

        /** Sets whether a request without a key is refused; default true. */
        public Builder required(boolean value) {
            required = value;
            return this;
        }

        /** Sets the rules for keys; default {@link KeyRules#DEFAULT}. */
        public Builder keyRules(KeyRules value) {
            keyRules = value;
            return this;
        }

        /** Changes the rules for keys set so far. */
        public Builder keyRules(UnaryOperator<KeyRules> change) {
            return keyRules(change.apply(keyRules));
        }

        /** Sets how long a duplicate of a running request waits for its answer; default zero, which refuses it at once. */
        public Builder waitFor(Duration value) {
            waitFor = value;
            return this;
        }

        /**
         * Sets the status with which a duplicate of a running request is refused: 409, the default, or 503, which clients that know no
         * idempotency keys repeat. Deliveries of events are always refused with 503, see {@link #key}.
         */
        public Builder inProgressStatus(int value) {
            inProgressStatus = value;
            return this;
        }

        /** Sets which answers are stored; default {@link StoredAnswers#DETERMINISTIC}. */
        public Builder storing(StoringPolicy value) {
            storing = value;
            return this;
        }

        /** Narrows the choice of the answers that are stored, as set so far, to those that another policy stores too. */
        public Builder storingIf(StoringPolicy value) {
            return storing(storing.and(value));
        }

        /** Sets whether this is a {@linkplain RouteOptions#handOff hand-off route}; default false. */
        public Builder handOff(boolean value) {
            handOff = value;
            return this;
        }

        /** Sets the limit of request bodies, in bytes; default {@value RouteOptions#DEFAULT_MAX_REQUEST_BODY}. */
        public Builder maxRequestBody(int value) {
            maxRequestBody = value;
            return this;
        }

        /** Sets the limit of stored response bodies, in bytes; default {@value RouteOptions#DEFAULT_MAX_RESPONSE_BODY}. */
        public Builder maxResponseBody(int value) {
            maxResponseBody = value;
            return this;
        }

        /** Sets the check of requests before their key is taken, behind that of a {@link #webhook}'s signature; default none. */
        public Builder check(RequestCheck value) {
            check = value;
            return this;
        }

        /** Sets lease, retention and number of attempts. */
        public Builder policy(ExecutionPolicy value) {
            policy = value;
            return this;
        }

        /** Changes lease, retention or number of attempts of the policy set so far. */
        public Builder policy(UnaryOperator<ExecutionPolicy> change) {
            return policy(change.apply(policy));
        }

        /** Sets the fingerprinter of the requests; default the application's. */
        public Builder fingerprinter(RequestFingerprinter value) {
            fingerprinter = Optional.of(value);
            return this;
        }

        /** Sets the condition under which stored answers are given again; default {@link ReplayCondition#REPLAY}. */
        public Builder replayCondition(ReplayCondition value) {
            replayCondition = value;
            return this;
        }

        /** Sets the resolver of the requests' tenants; default the application's. */
        public Builder tenants(TenantResolver value) {
            tenants = Optional.of(value);
            return this;
        }

        /** Sets whether the handler runs inside a transaction of the application's {@link io.idem.Outbox}; default false. */
        public Builder inbox(boolean value) {
            inbox = value;
            return this;
        }

        /** Gives the handler that transaction too if it is implied for the {@link #inboxTransaction} set so far. */
        public Builder inboxIf(Predicate<InboxTransaction> implied) {
            return inbox(inbox || implied.test(policy.attempts().transaction()));
        }

        /**
         * Sets the part of the work for which the transaction of the inbox is open; default {@link InboxTransaction#WHOLE}. Needs an
         * {@link #inbox}.
         */
        public Builder inboxTransaction(InboxTransaction value) {
            return policy(known -> known.withAttempts(known.attempts().withTransaction(value)));
        }

        /**
         * Takes the key from what requests bring with them instead of the key header. Since the sender repeats what was not answered with
         * 2xx, and changes it in doing so, this also turns the fingerprint off and stores 2xx only; set {@link #fingerprinter} and
         * {@link #storing} behind it for something else. A duplicate of a running request gets 503, and one whose answer is not kept an
         * empty 200.
         */
        public Builder key(KeySource value) {
            keySource = Optional.of(value);
            return fingerprinter(RequestFingerprinter.none()).storing(StoredAnswers.SUCCESS);
        }

        /**
         * Protects webhooks by the rules of their sender: its {@link #key}, and a check of its signatures if secrets are given.
         * Without secrets, set a check or {@link #verifiedBefore}. All keys are of one tenant, except with
         * {@link WebhookPreset#CLOUD_EVENTS}: the sender is verified, and is nobody's principal.
         *
         * @param secrets signing secrets, as in {@link WebhookPreset#signature}
         * @throws IllegalArgumentException if a secret is not in the sender's form, or idem does not verify this sender
         */
        public Builder webhook(WebhookPreset sender, String... secrets) {
            signature = secrets.length > 0 ? sender.signature(secrets) : RequestCheck.NONE;
            return sender.hasOneSender() ? key(sender).tenants(TenantResolver.single()) : key(sender);
        }

        /**
         * Protects the webhooks of several senders of one kind at one address, as {@link #webhook(WebhookPreset, String...)} does. The
         * sender is the one whose secret signed the request, and its name is part of the key.
         *
         * @param secrets secrets of each sender by its name; while one replaces another, both. Deliveries that were recorded when the
         *     secrets had no names are those of the first sender
         * @throws IllegalArgumentException if there is no secret, or one is not in the sender's form or is that of two senders
         */
        public Builder webhooks(WebhookPreset kind, Map<String, List<String>> secrets) {
            NamedSenders senders = new NamedSenders(kind, secrets);
            signature = senders;
            return key(senders).tenants(TenantResolver.single());
        }

        /**
         * Sets whether something in front of the filter has verified who sent a request with a {@link #key}; default false. A filter that
         * stands behind that of idem verifies no duplicate: where all callers are one tenant, it is refused at start.
         */
        public Builder verifiedBefore(boolean value) {
            verifiedBefore = value;
            return this;
        }

        /**
         * Sets whether the handler takes the body as the bytes that were sent; default false. Then a multipart form is not taken apart, and
         * a body that was taken apart before, or has a content coding, is refused. Servlet applications only.
         */
        public Builder bodyAsSent(boolean value) {
            bodyAsSent = value;
            return this;
        }

        /**
         * Returns the options.
         *
         * @throws IllegalArgumentException names the value that is not valid and what it must be
         */
        public RouteOptions build() {
            return new RouteOptions(
                    scope,
                    required,
                    keyRules,
                    waitFor,
                    inProgressStatus,
                    storing,
                    handOff,
                    maxRequestBody,
                    maxResponseBody,
                    checks(),
                    policy,
                    fingerprinter,
                    replayCondition,
                    tenants,
                    inbox,
                    keySource,
                    verifiedBefore,
                    bodyAsSent);
        }

        /** Returns the check of the signature and the other one, which is asked only if the signature is right. */
        private RequestCheck checks() {
            RequestCheck first = signature;
            RequestCheck second = check;
            if (first == RequestCheck.NONE || second == RequestCheck.NONE) {
                return first == RequestCheck.NONE ? second : first;
            }
            return (request, body) -> first.check(request, body).or(() -> second.check(request, body));
        }
    }
}
