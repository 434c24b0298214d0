package io.idem.consumer.guard;

import io.idem.consumer.definition.ListenerShape;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;

/** Refuses classes whose idempotent listener methods no proxy could guard, before Spring tries and fails in its own words. */
public final class ListenerShapeCheck implements InstantiationAwareBeanPostProcessor {

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        ListenerShape.check(beanClass);
        return null;
    }
}
