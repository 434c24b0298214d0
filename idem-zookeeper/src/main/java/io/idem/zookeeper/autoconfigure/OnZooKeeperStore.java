package io.idem.zookeeper.autoconfigure;

import java.util.Locale;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code idem.store} asks for ZooKeeper, alone or behind Redis. */
final class OnZooKeeperStore extends SpringBootCondition {

    static final String STORE = "idem.store";
    static final String WITH_REDIS = "zookeeper-with-redis";

    private static final Set<String> HERE = Set.of("zookeeper", WITH_REDIS);

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = context.getEnvironment().getProperty(STORE, "redis").toLowerCase(Locale.ROOT);
        return new ConditionOutcome(HERE.contains(store), STORE + "=" + store);
    }
}
