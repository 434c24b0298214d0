package io.idem.internal.spring;

import io.idem.ConfigurationException;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code idem.store} asks for a store. */
public abstract class OnStore extends SpringBootCondition {

    private static final String STORE = "idem.store";
    /** The end of the values that ask for copies in Redis in front of a store. */
    public static final String WITH_REDIS = "-with-redis";

    private final Predicate<String> wanted;

    /** @param name the setting's value for the store alone */
    protected OnStore(String name) {
        this(Set.of(name, name + WITH_REDIS)::contains);
    }

    /** @param wanted tells which values of the setting match */
    protected OnStore(Predicate<String> wanted) {
        this.wanted = wanted;
    }

    @Override
    public final ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = chosen(context.getEnvironment());
        return new ConditionOutcome(wanted.test(store), STORE + "=" + store);
    }

    private static String chosen(Environment environment) {
        return environment.getProperty(STORE, "redis").toLowerCase(Locale.ROOT);
    }

    /** Refuses a store behind Redis in an application that has no copies there. */
    public static void requireNoCopies(Environment environment) {
        String store = chosen(environment);
        if (store.endsWith(WITH_REDIS)) {
            throw new ConfigurationException(
                    STORE + "=" + store + " keeps copies of settled records in Redis, and the application has no"
                            + " bean of type SettledRecordCache that reads and writes them",
                    "Add io.lettuce:lettuce-core, with which idem creates one, or set " + STORE + "="
                            + store.substring(0, store.length() - WITH_REDIS.length()) + ".");
        }
    }
}
