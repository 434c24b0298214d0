package io.idem.consumer.internal.definition;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreUnavailableException;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.key.FingerprintReader;
import io.idem.consumer.internal.key.KeyReader;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Reads an {@link IdempotentListener}: resolves placeholders and bean expressions, fills in the settings, checks the
 * values against each other.
 */
public final class ListenerDefinitionFactory {

    private final ConsumerSettings settings;
    private final ListenerPolicy policy;
    private final boolean mayRetry;
    private final AttributeValues values;
    private final Supplier<@Nullable Inbox> inbox;
    private final boolean inboxAlways;

    /** @param inboxAlways whether every listener runs in the inbox, because there is no other store */
    public ListenerDefinitionFactory(
            ConsumerSettings settings,
            ScopePolicies scopes,
            AttributeValues values,
            Supplier<@Nullable Inbox> inbox,
            boolean inboxAlways) {
        this.settings = settings;
        this.inboxAlways = inboxAlways;
        this.policy = new ListenerPolicy(settings, scopes, inboxAlways);
        this.mayRetry = scopes.attemptsAreCounted();
        this.values = values;
        this.inbox = inbox;
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
        AttributeReader attributes = new AttributeReader(method, text -> values.resolve(text, bean));
        Scope scope = attributes.parse("scope", annotation.scope(), Scope::new);
        ExecutionPolicy read = policy.read(attributes, annotation, scope);
        return new ListenerDefinition(
                method,
                scope,
                read,
                keys(attributes, annotation),
                fingerprints(attributes, annotation),
                attributes.read("missingKey", annotation.missingKey(), settings.missingKey(), this::missingKey),
                attributes.read("trustTenant", annotation.trustTenant(), settings.trustTenant(), AttributeReader::flag),
                mayRetry,
                inbox(method, annotation, read));
    }

    private @Nullable Inbox inbox(Method method, IdempotentListener annotation, ExecutionPolicy read) {
        if (inboxAlways && StageForm.of(method).isPresent()) {
            throw new ListenerConfigurationException(
                    method,
                    "ends its work after its return, and with idem.store=inbox all work runs inside a transaction that"
                            + " belongs to one thread",
                    "Do the work before the method returns, or choose another idem.store");
        }
        boolean asked = inboxAlways || annotation.inbox();
        boolean lastPhase = annotation.transaction() == InboxTransaction.LAST_PHASE;
        if (lastPhase && !asked) {
            throw new ListenerConfigurationException(
                    method,
                    "says transaction = LAST_PHASE, which is about the transaction of an inbox, and has none",
                    "Add inbox = true, or remove transaction");
        }
        Inbox box = asked ? requireInbox(method, read) : null;
        if (lastPhase && box != null) {
            requireLastPhase(method, box);
        }
        return box;
    }

    private static void requireLastPhase(Method method, Inbox box) {
        Inbox.LastPhase phase = box.lastPhase()
                .orElseThrow(() -> new ListenerConfigurationException(
                        method,
                        "says transaction = LAST_PHASE, and the application's own inbox, "
                                + box.getClass().getSimpleName() + ", has only transactions for whole work",
                        "Use the inbox of idem-jdbc, or remove transaction"));
        try {
            phase.check();
        } catch (StoreUnavailableException unusable) {
            throw new ListenerConfigurationException(
                    method,
                    "says transaction = LAST_PHASE, and its steps cannot be kept: " + unusable.getMessage(),
                    "Create the table idem_inbox_attempt of R__idem_inbox.sql in the jar of idem-jdbc, for example by"
                            + " idem.jdbc.initialize-schema=always");
        }
    }

    private KeyReader keys(AttributeReader attributes, IdempotentListener annotation) {
        requireOneKey(attributes.method(), annotation);
        if (StringUtils.hasText(annotation.key())) {
            return attributes.parse("key", annotation.key(), text -> KeyReader.ofExpression(text, attributes.method()));
        }
        if (annotation.keyFields().length > 0) {
            return attributes.parse(
                    "keyFields",
                    "",
                    unused -> KeyReader.ofFields(annotation.keyFields(), attributes.values(), attributes.method()));
        }
        return KeyReader.ofSources(
                annotation.keySources().length > 0 ? List.of(annotation.keySources()) : settings.keySources());
    }

    private static void requireOneKey(Method method, IdempotentListener annotation) {
        long ways = Stream.of(
                        StringUtils.hasText(annotation.key()),
                        annotation.keyFields().length > 0,
                        annotation.keySources().length > 0)
                .filter(used -> used)
                .count();
        if (ways > 1) {
            throw new ListenerConfigurationException(
                    method, "says in more than one way where its key is", "Keep one of key, keyFields and keySources");
        }
    }

    private FingerprintReader fingerprints(AttributeReader attributes, IdempotentListener annotation) {
        boolean body = annotation.fingerprint() == FingerprintSource.BODY;
        if (annotation.fingerprintFields().length > 0) {
            if (body) {
                throw new ListenerConfigurationException(
                        attributes.method(),
                        "compares payloads by their whole body and by some of its fields",
                        "Keep one of fingerprint = BODY and fingerprintFields");
            }
            return attributes.parse(
                    "fingerprintFields",
                    "",
                    unused -> FingerprintReader.ofFields(
                            annotation.fingerprintFields(), attributes.values(), attributes.method()));
        }
        return body ? FingerprintReader.ofBody(attributes.method()) : FingerprintReader.ofHeader();
    }

    private MissingKeyPolicy missingKey(String text) {
        return AttributeReader.constant(MissingKeyPolicy.class, text);
    }

    private Inbox requireInbox(Method method, ExecutionPolicy read) {
        Inbox box = inbox.get();
        if (box == null) {
            throw new ListenerConfigurationException(
                    method,
                    "asks for an inbox, but the application has no bean of type " + Inbox.class.getName(),
                    "Add idem-jdbc with a DataSource, define an Inbox bean, or remove inbox = true");
        }
        if (box.retention().compareTo(read.retention()) < 0) {
            throw new ListenerConfigurationException(
                    method,
                    "keeps its records for " + read.retention() + ", but its inbox keeps rows for " + box.retention()
                            + " (idem.jdbc.retention): duplicates that come later would run again if the store lost the record",
                    "Set idem.jdbc.retention to " + read.retention()
                            + " or longer, or make the listener's retention shorter");
        }
        return box;
    }
}
