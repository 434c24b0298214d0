package io.idem.consumer;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.spi.Inbox;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/** Reads an {@link IdempotentListener}: resolves placeholders, fills in the settings, checks the values against each other. */
final class ListenerDefinitionFactory {

    private final ConsumerSettings settings;
    private final Function<String, String> placeholders;
    private final Supplier<@Nullable Inbox> inbox;

    ListenerDefinitionFactory(
            ConsumerSettings settings, Function<String, String> placeholders, Supplier<@Nullable Inbox> inbox) {
        this.settings = settings;
        this.placeholders = placeholders;
        this.inbox = inbox;
    }

    /**
     * A method's definition.
     *
     * @throws ListenerConfigurationException names the method, the attribute and what to do
     */
    ListenerDefinition create(Method method) {
        IdempotentListener annotation = ListenerDefinitions.annotation(method, method.getDeclaringClass());
        if (annotation == null) {
            throw new IllegalArgumentException(method + " is not an @IdempotentListener");
        }
        return new ListenerDefinition(
                method,
                attribute(method, "scope", annotation.scope(), Scope::new),
                policy(method, annotation),
                keys(method, annotation.key()),
                attribute(method, "missingKey", annotation.missingKey(), settings.missingKey(), this::missingKey),
                attribute(method, "trustTenant", annotation.trustTenant(), settings.trustTenant(), this::flag),
                annotation.inbox() ? requireInbox(method) : null,
                List.of(annotation.rejectOn()));
    }

    private ExecutionPolicy policy(Method method, IdempotentListener annotation) {
        ExecutionPolicy base = settings.policy();
        Duration lease = attribute(method, "lease", annotation.lease(), base.lease(), DurationStyle::detectAndParse);
        Duration retention =
                attribute(method, "retention", annotation.retention(), base.retention(), DurationStyle::detectAndParse);
        int attempts = attribute(method, "maxAttempts", annotation.maxAttempts(), base.maxAttempts(), Integer::valueOf);
        boolean sameLease = lease.equals(base.lease());
        return attribute(
                method,
                "lease or retention",
                "",
                unused -> sameLease
                        ? new ExecutionPolicy(lease, base.renewEvery(), base.margin(), retention, attempts)
                        : ExecutionPolicy.of(lease, retention).withMaxAttempts(attempts));
    }

    private KeyReader keys(Method method, String expression) {
        return attribute(
                method,
                "key",
                expression,
                text -> text.isEmpty() ? new SourceKeyReader(settings.keySources()) : new ExpressionKeyReader(text));
    }

    private MissingKeyPolicy missingKey(String text) {
        return MissingKeyPolicy.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private boolean flag(String text) {
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("\"" + text + "\" is neither true nor false");
        }
        return Boolean.parseBoolean(text);
    }

    private Inbox requireInbox(Method method) {
        Inbox box = inbox.get();
        if (box == null) {
            throw new ListenerConfigurationException(
                    method,
                    "asks for an inbox, but the application has no bean of type " + Inbox.class.getName(),
                    "Add idem-jdbc with a DataSource, define an Inbox bean, or remove inbox = true");
        }
        return box;
    }

    private <T> T attribute(Method method, String name, String text, T otherwise, Function<String, T> parser) {
        return StringUtils.hasText(text) ? attribute(method, name, text, parser) : otherwise;
    }

    private <T> T attribute(Method method, String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(placeholders.apply(text));
        } catch (RuntimeException invalid) {
            throw new ListenerConfigurationException(
                    method,
                    "has an invalid " + name + ": " + invalid.getMessage(),
                    "Correct the attribute " + name,
                    invalid);
        }
    }
}
