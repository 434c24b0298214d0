package io.idem.consumer;

import io.idem.InvalidKeyException;
import java.util.Map;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** Evaluates the SpEL of {@link IdempotentListener#key()}. Read-only: no bean, type or constructor can be reached from it. */
final class ExpressionKeyReader implements KeyReader {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String text;
    private final Expression expression;

    ExpressionKeyReader(String text) {
        this.text = text;
        this.expression = new SpelExpressionParser().parseExpression(text);
    }

    @Override
    public Optional<String> read(DeliveredMessage message, MethodInvocation invocation) {
        Object value = evaluate(message, invocation);
        return Optional.ofNullable(value).map(found -> HeaderText.text(this + " of " + message, found));
    }

    private @Nullable Object evaluate(DeliveredMessage message, MethodInvocation invocation) {
        try {
            return expression.getValue(context(message, invocation));
        } catch (EvaluationException failed) {
            throw new InvalidKeyException(this + " failed on " + message + ": " + failed.getMessage());
        }
    }

    private static SimpleEvaluationContext context(DeliveredMessage message, MethodInvocation invocation) {
        Map<String, Object> root = Map.of(
                "headers", new HeaderMap(message), "args", invocation.getArguments(), "message", message.source());
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                        new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess())
                .withInstanceMethods()
                .withRootObject(root)
                .build();
        String[] names = NAMES.getParameterNames(invocation.getMethod());
        for (int i = 0; names != null && i < names.length; i++) {
            context.setVariable(names[i], invocation.getArguments()[i]);
        }
        return context;
    }

    @Override
    public String toString() {
        return "key expression \"" + text + "\"";
    }
}
