package io.idem.consumer.internal.definition;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.PolicyOverrides;
import io.idem.ResultPolicy;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverMode;
import io.idem.TakeoverPolicy;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.internal.method.AttributeReader;
import io.idem.internal.method.StartRefusal;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.convert.DurationStyle;

/**
 * Resolves a listener's policy: its annotation wins over its scope's settings, and those over the settings of all
 * listeners.
 *
 * @param inboxAlways whether every listener runs in the inbox
 */
record ListenerPolicy(ConsumerSettings settings, ScopePolicies scopes, boolean inboxAlways) {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerPolicy.class);

    ExecutionPolicy read(Method method, AttributeReader attributes, IdempotentListener annotation, Scope scope) {
        PolicyOverrides own = new PolicyOverrides(
                duration(attributes, "lease", annotation.lease()),
                null,
                null,
                duration(attributes, "retention", annotation.retention()),
                attributes.readIfSet("maxAttempts", annotation.maxAttempts(), Integer::valueOf),
                attempts(attributes, annotation));
        try {
            ExecutionPolicy policy = own.applyTo(scopes.of(scope, settings.policy()));
            checkRetries(method, attributes.refusal(), annotation, scope, policy);
            return policy;
        } catch (IllegalArgumentException unfit) {
            throw attributes.invalid("policy together with the settings of its scope", unfit);
        }
    }

    private UnaryOperator<AttemptPolicy> attempts(AttributeReader attributes, IdempotentListener annotation) {
        Duration first = duration(attributes, "backoff", annotation.backoff());
        Duration longest = duration(attributes, "longestBackoff", annotation.longestBackoff());
        TakeoverPolicy takeover = takeover(attributes, annotation);
        Boolean interrupt =
                attributes.readIfSet("interruptOnLostLease", annotation.interruptOnLostLease(), AttributeReader::flag);
        ResultPolicy results = results(attributes, annotation);
        return base -> new AttemptPolicy(
                failures(base.failures(), annotation),
                Objects.requireNonNullElse(results, base.results()),
                base.backoff().with(first, null, longest, null),
                Objects.requireNonNullElse(takeover, base.takeover()),
                Objects.requireNonNullElse(interrupt, base.interruptOnLostLease()),
                annotation.transaction(),
                base.keepIncomingKey());
    }

    private static FailurePolicy failures(FailurePolicy base, IdempotentListener annotation) {
        return base.with(List.of(annotation.rejectOn()), List.of(annotation.retryOn()));
    }

    private @Nullable TakeoverPolicy takeover(AttributeReader attributes, IdempotentListener annotation) {
        return attributes.readIfSet(
                "takeover",
                annotation.takeover(),
                text -> scopes.takeover(
                        AttributeReader.constant(TakeoverMode.class, text),
                        attributes.values().apply(annotation.reconciler())));
    }

    private @Nullable ResultPolicy results(AttributeReader attributes, IdempotentListener annotation) {
        ResultExpression reject = attributes.readIfSet("rejectIf", annotation.rejectIf(), ResultExpression::new);
        ResultExpression retry = attributes.readIfSet("retryIf", annotation.retryIf(), ResultExpression::new);
        return reject == null && retry == null
                ? null
                : new ResultExpressions(reject, retry, inboxAlways || annotation.inbox());
    }

    /** Requires a limit of attempts where idem owns the retry: no container would end it. */
    private void checkRetries(
            Method method, StartRefusal refusal, IdempotentListener annotation, Scope scope, ExecutionPolicy policy) {
        Duration longest = policy.attempts().backoff().longest();
        refusal.refuseIf(
                policy.maxAttempts() == 0
                        && (!longest.isZero() || !annotation.retryIf().isEmpty()),
                "retries by backoff or retryIf, but for ever: it has no limit of attempts",
                "Set maxAttempts, idem.scopes." + scope.name() + ".max-attempts or idem.max-attempts");
        if (longest.compareTo(settings.inPlaceWait()) > 0) {
            LOG.warn(
                    "{} may wait for {} between attempts, longer than idem.consumer.in-place-wait {}: meanwhile the message goes"
                            + " back to the broker at that pace. Where the broker counts redeliveries, set its limit accordingly",
                    ListenerConfigurationException.describe(method),
                    longest,
                    settings.inPlaceWait());
        }
    }

    private static @Nullable Duration duration(AttributeReader attributes, String name, String text) {
        return attributes.readIfSet(name, text, DurationStyle::detectAndParse);
    }
}
