package io.idem.consumer.internal.definition;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** SpEL expression about a listener's result. Read-only: no bean, type or constructor can be reached from it. */
final class ResultExpression {

    private final Expression expression;

    ResultExpression(String text) {
        this.expression = new SpelExpressionParser().parseExpression(text);
    }

    /**
     * Returns whether the expression is true of a result.
     *
     * @throws RuntimeException if it cannot be evaluated, or a method that it calls throws it
     */
    boolean holdsFor(@Nullable Object result) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        context.setVariable("result", result);
        return Boolean.TRUE.equals(expression.getValue(context, Boolean.class));
    }

    @Override
    public String toString() {
        return expression.getExpressionString();
    }
}
