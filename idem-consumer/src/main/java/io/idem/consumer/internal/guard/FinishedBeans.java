package io.idem.consumer.internal.guard;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;

/**
 * The beans that a post-processor has not seen: registered as they are, needed by another post-processor, or of a parent
 * context without idem. And those that it has.
 */
public final class FinishedBeans {

    private FinishedBeans() {}

    /**
     * Hands over every finished bean of a context, and of its parents up to one that has a post-processor of its own.
     *
     * @param each gets a bean and its name
     */
    public static void of(BeanFactory context, Class<?> postProcessor, BiConsumer<Object, String> each) {
        BeanFactory at = context;
        do {
            if (at instanceof SingletonBeanRegistry beans) {
                for (String name : beans.getSingletonNames()) {
                    Object bean = beans.getSingleton(name);
                    if (bean != null) {
                        each.accept(bean, name);
                    }
                }
            }
            at = parent(at);
        } while (at != null
                && at.getBeanProvider(postProcessor).stream().findAny().isEmpty());
    }

    private static @Nullable BeanFactory parent(BeanFactory of) {
        return of instanceof HierarchicalBeanFactory child ? child.getParentBeanFactory() : null;
    }
}
