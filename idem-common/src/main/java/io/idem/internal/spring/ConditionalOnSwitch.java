package io.idem.internal.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a truth value, bound as Boot binds it to properties (also {@code off}, {@code no} and {@code 0}), is as said. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnSwitch.OnSwitch.class)
public @interface ConditionalOnSwitch {

    /** The name of the setting. */
    String value();

    boolean byDefault() default true;

    boolean is() default true;

    /** The condition. Another text than a truth value is refused by name. */
    final class OnSwitch extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            MergedAnnotation<ConditionalOnSwitch> asked =
                    metadata.getAnnotations().get(ConditionalOnSwitch.class);
            String name = asked.getString("value");
            boolean on = Binder.get(context.getEnvironment())
                    .bind(name, Boolean.class)
                    .orElse(asked.getBoolean("byDefault"));
            return new ConditionOutcome(on == asked.getBoolean("is"), name + "=" + on);
        }
    }
}
