package io.idem.consumer.internal.guard;

import java.util.List;

/** Guards listeners that are functions: beans that a messaging framework calls, rather than methods of beans. */
public interface FunctionListeners {

    /**
     * Takes over the functions whose {@code @Bean} methods have an {@link io.idem.consumer.IdempotentListener}; before
     * any of them is called.
     *
     * @param beanNames all of them
     */
    void guard(List<String> beanNames);
}
