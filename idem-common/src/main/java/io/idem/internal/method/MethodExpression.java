package io.idem.internal.method;

import io.idem.InvalidKeyException;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * SpEL expression over the arguments of a method. Read-only: no bean, type or constructor can be reached from it.
 * Thread-safe.
 */
final class MethodExpression {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String text;
    private final Method method;
    private final SpelExpression expression;

    /**
     * Parses the expression of a method.
     *
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the method does not have
     */
    MethodExpression(String text, Method method) {
        this.text = text;
        this.method = method;
        this.expression = new SpelExpressionParser().parseRaw(text);
        ExpressionVariables.check(expression.getAST(), method);
    }

    /**
     * Returns the value for a call.
     *
     * @throws InvalidKeyException if the expression fails, or a method that it calls throws
     */
    @Nullable Object evaluate(@Nullable Object[] arguments) {
        try {
            return expression.getValue(context(arguments));
        } catch (RuntimeException failed) {
            InvalidKeyException invalid = new InvalidKeyException(this + " failed: " + failed);
            invalid.initCause(failed);
            throw invalid;
        }
    }

    private SimpleEvaluationContext context(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                        new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess())
                .withInstanceMethods()
                .withRootObject(Map.of("args", arguments))
                .build();
        String[] names = NAMES.getParameterNames(method);
        for (int i = 0; names != null && i < names.length; i++) {
            context.setVariable(names[i], arguments[i]);
        }
        return context;
    }

    String text() {
        return text;
    }

    @Override
    public String toString() {
        return "\"" + text + "\" of " + MethodConfigurationException.describe(method);
    }
}
