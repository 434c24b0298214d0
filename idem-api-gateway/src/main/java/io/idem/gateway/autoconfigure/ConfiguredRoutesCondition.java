package io.idem.gateway.autoconfigure;

import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the settings have a route, complete or not. */
final class ConfiguredRoutesCondition implements Condition {

    private static final ConfigurationPropertyName ROUTES = ConfigurationPropertyName.of("idem.gateway.routes");

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return in(context.getEnvironment());
    }

    static boolean in(Environment environment) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .anyMatch(source -> source.containsDescendantOf(ROUTES) == ConfigurationPropertyState.PRESENT);
    }
}
