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
import java.util.function.Function;
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
        if (annotation.scope().isEmpty()) {
            throw new MethodConfigurationException(
                    method,
                    "has no scope, under which its records are kept",
                    "Add a scope, for example scope = \"" + method.getName().toLowerCase(Locale.ROOT) + "\"");
        }
        Scope scope = read(method, "scope", annotation.scope(), Scope::new);
        ExecutionPolicy policy = policy(method, annotation, scope);
        return new MethodDefinition(
                method,
                MethodShape.endsLater(method, type),
                MethodShape.valueType(method, type),
                scope,
                policy,
                key(method, annotation),
                readIfSet(method, "fingerprint", annotation.fingerprint(), text -> new MethodExpression(text, method)),
                inboxes.of(
                        method,
                        annotation.inbox(),
                        annotation.transaction(),
                        policy.retention(),
                        MethodShape.endsLater(method, type)));
    }

    private CallKey key(Method method, Idempotent annotation) {
        if (StringUtils.hasText(annotation.key())) {
            return new CallKey.ByExpression(
                    read(method, "key", annotation.key(), text -> new MethodExpression(text, method)));
        }
        FireTimes times;
        try {
            times = new Schedules(values).of(method).orElse(null);
        } catch (IllegalArgumentException unreadable) {
            throw invalid(method, "@Scheduled", unreadable);
        }
        if (times == null) {
            throw new MethodConfigurationException(
                    method,
                    "has no key",
                    "Add a key, which is SpEL over its parameters, for example key = \"#order.id()\"");
        }
        return new CallKey.BySchedule(times, clock);
    }

    private ExecutionPolicy policy(Method method, Idempotent annotation, Scope scope) {
        TakeoverPolicy takeover =
                readIfSet(method, "takeover", annotation.takeover(), text -> takeover(text, annotation));
        PolicyOverrides own = new PolicyOverrides(
                readIfSet(method, "lease", annotation.lease(), DurationStyle::detectAndParse),
                null,
                null,
                readIfSet(method, "retention", annotation.retention(), DurationStyle::detectAndParse),
                annotation.maxAttempts() < 0 ? null : annotation.maxAttempts(),
                base -> attempts(base, annotation, takeover));
        try {
            return own.applyTo(scopes.of(scope));
        } catch (IllegalArgumentException unfit) {
            throw invalid(method, "policy together with the settings of its scope", unfit);
        }
    }

    private static AttemptPolicy attempts(
            AttemptPolicy base, Idempotent annotation, @Nullable TakeoverPolicy takeover) {
        return base.withFailures(base.failures().with(List.of(annotation.rejectOn()), List.of(annotation.retryOn())))
                .withTakeover(Objects.requireNonNullElse(takeover, base.takeover()))
                .withTransaction(annotation.transaction());
    }

    private TakeoverPolicy takeover(String mode, Idempotent annotation) {
        return scopes.takeover(
                TakeoverMode.valueOf(mode.toUpperCase(Locale.ROOT).replace('-', '_')),
                resolved(annotation.reconciler()));
    }

    private <T> @Nullable T readIfSet(Method method, String name, String text, Function<String, T> parser) {
        return StringUtils.hasText(text) ? read(method, name, text, parser) : null;
    }

    private <T> T read(Method method, String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(resolved(text));
        } catch (RuntimeException invalid) {
            throw invalid(method, name, invalid);
        }
    }

    private String resolved(String text) {
        return Objects.requireNonNullElse(values.resolveStringValue(text), "");
    }

    private static MethodConfigurationException invalid(Method method, String name, RuntimeException why) {
        MethodConfigurationException invalid = new MethodConfigurationException(
                method, "has an invalid " + name + ": " + why.getMessage(), "Correct " + name);
        invalid.initCause(why);
        return invalid;
    }
}
