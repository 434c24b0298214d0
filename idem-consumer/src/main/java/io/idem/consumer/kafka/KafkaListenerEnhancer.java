package io.idem.consumer.kafka;

import io.idem.consumer.IdempotentListener;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.util.ReflectionUtils;

/**
 * Points the {@code containerPostProcessor} of every {@code @KafkaListener} with an {@link IdempotentListener} method at
 * {@link KafkaDeliveryHooks}, together with the one that the user may have set. Asked while beans are still being made, so
 * it knows no bean.
 */
public final class KafkaListenerEnhancer implements AnnotationEnhancer, Ordered {

    private static final String ATTRIBUTE = "containerPostProcessor";

    private final List<AnnotatedElement> listeners = new CopyOnWriteArrayList<>();

    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
        if (!isIdempotent(element)) {
            return attributes;
        }
        Map<String, Object> enhanced = new HashMap<>(attributes);
        String bean = String.valueOf(attributes.getOrDefault("beanRef", "__listener"));
        String users = String.valueOf(attributes.getOrDefault(ATTRIBUTE, ""));
        enhanced.put(ATTRIBUTE, hook(remember(element) + ", " + bean, users));
        return enhanced;
    }

    private synchronized int remember(AnnotatedElement element) {
        listeners.add(element);
        return listeners.size() - 1;
    }

    /** The method or class that carries the {@code @KafkaListener} of this number. */
    AnnotatedElement listener(int number) {
        return listeners.get(number);
    }

    private static boolean isIdempotent(AnnotatedElement element) {
        return element instanceof Class<?> type
                ? Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                        .anyMatch(KafkaListenerEnhancer::isIdempotentMethod)
                : isIdempotentMethod(element);
    }

    private static boolean isIdempotentMethod(AnnotatedElement method) {
        return AnnotatedElementUtils.hasAnnotation(method, IdempotentListener.class);
    }

    /** Its name, for messages. */
    static String describe(AnnotatedElement element) {
        return element instanceof Method method
                ? method.getDeclaringClass().getSimpleName() + "." + method.getName()
                : ((Class<?>) element).getSimpleName();
    }

    private static String hook(String listener, String users) {
        String call = "#{@" + KafkaDeliveryHooks.BEAN_NAME + ".hook(" + listener;
        return users.isEmpty() ? call + ")}" : call + ", " + operand(users) + ")}";
    }

    /** What the user wrote, as part of a larger expression: an expression as it is, a name or placeholder as a text. */
    private static String operand(String users) {
        boolean expression = users.startsWith("#{") && users.endsWith("}");
        return expression ? users.substring("#{".length(), users.length() - 1) : "'" + users.replace("'", "''") + "'";
    }

    /** Last, so that it sees what other enhancers set. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
