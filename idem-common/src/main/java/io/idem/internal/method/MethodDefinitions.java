package io.idem.internal.method;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.Idempotent;
import io.idem.PolicyOverrides;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverMode;
import io.idem.TakeoverPolicy;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * The definitions of all {@link Idempotent} methods that are no handlers of HTTP requests, each made once. Resolves placeholders, fills in the
 * settings of the scope, checks the values against each other. Thread-safe.
 */
final class MethodDefinitions {

    private final ScopePolicies scopes;
    private final StringValueResolver values;
    private final InboxRules inboxes;
    private final InstantSource clock;
    private final Map<MethodClassKey, MethodDefinition> known = new ConcurrentHashMap<>();

    MethodDefinitions(ScopePolicies scopes, StringValueResolver values, InboxRules inboxes, InstantSource clock) {
        this.scopes = scopes;
        this.values = values;
        this.inboxes = inboxes;
        this.clock = clock;
    }

    /**
     * Returns the definition of a method of a class.
     *
     * @throws MethodConfigurationException names the method, the attribute and what to do
     */
    MethodDefinition of(Method method, Class<?> type) {
        return Objects.requireNonNull(known.computeIfAbsent(
                new MethodClassKey(method, type),
                missing -> create(AopUtils.getMostSpecificMethod(method, type), type)));
    }

    private MethodDefinition create(Method method, Class<?> type) {
        Idempotent annotation = MethodShape.annotation(method);
        StartRefusal refusal = MethodShape.REFUSALS.of(method);
        refusal.refuseIf(
                annotation.scope().isEmpty(),
                "has no scope, under which its records are kept",
                "Add a scope, for example scope = \"" + method.getName().toLowerCase(Locale.ROOT) + "\"");
        AttributeReader attributes =
                new AttributeReader(text -> Objects.requireNonNullElse(values.resolveStringValue(text), ""), refusal);
        Scope scope = attributes.parse("scope", annotation.scope(), Scope::new);
        ExecutionPolicy policy = policy(attributes, annotation, scope);
        boolean endsLater = MethodShape.endsLater(method, type);
        return new MethodDefinition(
                method,
                endsLater,
                MethodShape.valueType(method, type),
                scope,
                policy,
                key(method, attributes, annotation),
                attributes.readIfSet("fingerprint", annotation.fingerprint(), text -> expression(text, method)),
                inboxes.of(method, annotation.inbox(), annotation.transaction(), policy.retention(), endsLater));
    }

    private static KeyExpression expression(String text, Method method) {
        return new KeyExpression(text, "\"" + text + "\" of " + MethodConfigurationException.describe(method), method);
    }

    private CallKey key(Method method, AttributeReader attributes, Idempotent annotation) {
        if (StringUtils.hasText(annotation.key())) {
            return new CallKey.ByExpression(
                    attributes.parse("key", annotation.key(), text -> expression(text, method)));
        }
        try {
            FireTimes times = new Schedules(values)
                    .of(method)
                    .orElseThrow(() -> new MethodConfigurationException(
                            method,
                            "has no key",
                            "Add a key, which is SpEL over its parameters, for example key = \"#order.id()\""));
            return new CallKey.BySchedule(times, clock);
        } catch (IllegalArgumentException unreadable) {
            throw attributes.invalid("@Scheduled", unreadable);
        }
    }

    private ExecutionPolicy policy(AttributeReader attributes, Idempotent annotation, Scope scope) {
        TakeoverPolicy takeover = attributes.readIfSet(
                "takeover",
                annotation.takeover(),
                text -> scopes.takeover(
                        AttributeReader.constant(TakeoverMode.class, text),
                        attributes.values().apply(annotation.reconciler())));
        PolicyOverrides own = new PolicyOverrides(
                attributes.readIfSet("lease", annotation.lease(), DurationStyle::detectAndParse),
                null,
                null,
                attributes.readIfSet("retention", annotation.retention(), DurationStyle::detectAndParse),
                annotation.maxAttempts() < 0 ? null : annotation.maxAttempts(),
                base -> attempts(base, annotation, takeover));
        try {
            return own.applyTo(scopes.of(scope));
        } catch (IllegalArgumentException unfit) {
            throw attributes.invalid("policy together with the settings of its scope", unfit);
        }
    }

    private static AttemptPolicy attempts(
            AttemptPolicy base, Idempotent annotation, @Nullable TakeoverPolicy takeover) {
        return base.withFailures(base.failures().with(List.of(annotation.rejectOn()), List.of(annotation.retryOn())))
                .withTakeover(Objects.requireNonNullElse(takeover, base.takeover()))
                .withTransaction(annotation.transaction());
    }
}
