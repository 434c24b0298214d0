package io.idem.consumer.internal.definition;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.key.FingerprintReader;
import io.idem.consumer.internal.key.KeyReader;
import io.idem.internal.method.AttributeReader;
import io.idem.internal.method.InboxRules;
import io.idem.internal.method.Refusals;
import io.idem.internal.method.StartRefusal;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Reads an {@link IdempotentListener}: resolves placeholders and bean expressions, fills in the settings, checks the
 * values against each other.
 */
public final class ListenerDefinitionFactory {

    private static final Refusals REFUSALS = ListenerConfigurationException::new;

    private final ConsumerSettings settings;
    private final ListenerPolicy policy;
    private final boolean mayRetry;
    private final AttributeValues values;
    private final InboxRules inboxes;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** @param inboxAlways whether every listener runs in the inbox, because there is no other store */
    public ListenerDefinitionFactory(
            ConsumerSettings settings,
            ScopePolicies scopes,
            AttributeValues values,
            Supplier<@Nullable Inbox> inbox,
            boolean inboxAlways) {
        this.settings = settings;
        this.policy = new ListenerPolicy(settings, scopes, inboxAlways);
        this.mayRetry = scopes.attemptsAreCounted();
        this.values = values;
        this.inboxes = new InboxRules(inbox, inboxAlways, !mayRetry, REFUSALS);
    }

    /**
     * Creates the definition of a method.
     *
     * @param bean whose method it is; null for no bean in particular
     * @throws ListenerConfigurationException names the method, the attribute and what to do
     */
    public ListenerDefinition create(Method method, @Nullable Object bean) {
        IdempotentListener annotation = ListenerDefinitions.annotation(method, method.getDeclaringClass());
        if (annotation == null) {
            throw new IllegalArgumentException(method + " is not an @IdempotentListener");
        }
        return create(annotation, method, method, bean);
    }

    /**
     * Creates the definition of a function of the application.
     *
     * @param named the method by which a developer finds it
     * @param called the method through which its messages go
     * @throws ListenerConfigurationException names the method, the attribute and what to do
     */
    public ListenerDefinition create(IdempotentListener annotation, Method named, Method called) {
        REFUSALS.of(named)
                .refuseIf(
                        !annotation.rejectIf().isEmpty()
                                || !annotation.retryIf().isEmpty(),
                        "has rejectIf or retryIf, but the result of a function is sent on before idem could read it",
                        "Remove rejectIf and retryIf, and throw an exception instead");
        return create(annotation, named, called, null);
    }

    private ListenerDefinition create(
            IdempotentListener annotation, Method method, Method called, @Nullable Object bean) {
        AttributeReader attributes = new AttributeReader(text -> values.resolve(text, bean), REFUSALS.of(method));
        Scope scope = attributes.parse("scope", annotation.scope(), Scope::new);
        ExecutionPolicy read = policy.read(method, attributes, annotation, scope);
        return new ListenerDefinition(
                method,
                scope,
                read,
                keys(attributes, annotation, called),
                fingerprints(attributes, annotation, called),
                attributes.read("missingKey", annotation.missingKey(), settings.missingKey(), this::missingKey),
                attributes.read("trustTenant", annotation.trustTenant(), settings.trustTenant(), AttributeReader::flag),
                mayRetry,
                inboxes.of(
                        method,
                        annotation.inbox(),
                        annotation.transaction(),
                        read.retention(),
                        StageForm.of(method).isPresent()),
                told);
    }

    private KeyReader keys(AttributeReader attributes, IdempotentListener annotation, Method called) {
        requireOneKey(attributes.refusal(), annotation);
        if (StringUtils.hasText(annotation.key())) {
            return attributes.parse("key", annotation.key(), text -> KeyReader.ofExpression(text, called));
        }
        if (annotation.keyFields().length > 0) {
            return attributes.parse(
                    "keyFields", "", unused -> KeyReader.ofFields(annotation.keyFields(), attributes.values(), called));
        }
        return KeyReader.ofSources(
                annotation.keySources().length > 0 ? List.of(annotation.keySources()) : settings.keySources());
    }

    private static void requireOneKey(StartRefusal refusal, IdempotentListener annotation) {
        long ways = Stream.of(
                        StringUtils.hasText(annotation.key()),
                        annotation.keyFields().length > 0,
                        annotation.keySources().length > 0)
                .filter(used -> used)
                .count();
        refusal.refuseIf(
                ways > 1, "says in more than one way where its key is", "Keep one of key, keyFields and keySources");
    }

    private FingerprintReader fingerprints(AttributeReader attributes, IdempotentListener annotation, Method called) {
        boolean body = annotation.fingerprint() == FingerprintSource.BODY;
        if (annotation.fingerprintFields().length > 0) {
            attributes
                    .refusal()
                    .refuseIf(
                            body,
                            "compares payloads by their whole body and by some of its fields",
                            "Keep one of fingerprint = BODY and fingerprintFields");
            return attributes.parse(
                    "fingerprintFields",
                    "",
                    unused -> FingerprintReader.ofFields(annotation.fingerprintFields(), attributes.values(), called));
        }
        return body ? FingerprintReader.ofBody(called) : FingerprintReader.ofHeader();
    }

    private MissingKeyPolicy missingKey(String text) {
        return AttributeReader.constant(MissingKeyPolicy.class, text);
    }
}
