package io.idem.consumer.internal.rabbit.send;

import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/** Puts an advice around all beans of a type, which keep their class: for clients that have no place for a hook. */
public final class SendsHook extends AbstractAdvisingBeanPostProcessor {

    private static final long serialVersionUID = 1;

    public SendsHook(Class<?> type, Advice advice) {
        setProxyTargetClass(true);
        advisor = new DefaultPointcutAdvisor(new ComposablePointcut((ClassFilter) type::isAssignableFrom), advice);
    }
}
