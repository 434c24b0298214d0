package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.definition.ListenerDefinitions;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.internal.method.AnnotatedMethods;
import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/**
 * Leaves a decision for messages that a class with idempotent listener methods takes with another of its handler
 * methods. Without it, they would look like messages for which no method was called.
 */
public final class OtherHandlerAdvisor extends StaticMethodMatcherPointcutAdvisor {

    public OtherHandlerAdvisor() {
        super((MethodInterceptor) OtherHandlerAdvisor::call);
        setOrder(IdempotentListenerAdvisor.ORDER);
        setClassFilter((ClassFilter) type -> AnnotatedMethods.mayBeOn(type, IdempotentListener.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return ListenerDefinitions.annotation(method, targetClass) == null
                && ListenerShape.isHandler(AopUtils.getMostSpecificMethod(method, targetClass))
                && !ListenerShape.methods(targetClass).isEmpty();
    }

    private static @Nullable Object call(MethodInvocation invocation) throws Throwable {
        Optional<Delivery> delivery = CurrentDelivery.get();
        return delivery.isPresent() ? deliver(delivery.get(), invocation) : invocation.proceed();
    }

    /** A decision of an idempotent listener method that the handler called stays. */
    private static @Nullable Object deliver(Delivery delivery, MethodInvocation invocation) throws Throwable {
        delivery.reset();
        try {
            Object value = invocation.proceed();
            decideUnlessDecided(delivery, new DeliveryDecision.Ran());
            return value;
        } catch (Throwable failure) {
            decideUnlessDecided(delivery, new DeliveryDecision.Failed(Optional.empty()));
            throw failure;
        }
    }

    private static void decideUnlessDecided(Delivery delivery, DeliveryDecision decision) {
        if (delivery.decision().isEmpty()) {
            delivery.decide(decision);
        }
    }
}
