package io.idem.internal.method;

import java.lang.reflect.Method;
import java.util.Collection;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Refuses annotated methods in other contexts of the hierarchy, in which idem guards nothing. */
public abstract class UnseenBeans implements ApplicationListener<ContextRefreshedEvent> {

    private final Refusals refusals;
    private final String remedy;

    protected UnseenBeans(Refusals refusals, String remedy) {
        this.refusals = refusals;
        this.remedy = remedy;
    }

    /** Called for the own context, whose parents are checked too, and for each child of it. */
    @Override
    public final void onApplicationEvent(ContextRefreshedEvent refreshed) {
        ApplicationContext context = refreshed.getApplicationContext();
        while (context != null) {
            if (context.getBeanNamesForType(getClass(), true, false).length == 0
                    && context.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans) {
                refuseMethods(context, beans);
            }
            context = context.getParent();
        }
    }

    /** Looks at types without their proxies, one of which may show nothing of it but an interface. */
    private void refuseMethods(ApplicationContext unseen, ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null) {
                unguarded(beans, name, type).stream().findFirst().ifPresent(method -> {
                    throw refusals.refused(
                            method,
                            "is a bean of the context \"" + unseen.getDisplayName()
                                    + "\", in which idem guards nothing: it is configured in another one of the hierarchy",
                            remedy);
                });
            }
        }
    }

    /** Returns the annotated methods of a bean of such a context that are not guarded from another one. */
    protected abstract Collection<Method> unguarded(
            ConfigurableListableBeanFactory beans, String beanName, Class<?> type);
}
