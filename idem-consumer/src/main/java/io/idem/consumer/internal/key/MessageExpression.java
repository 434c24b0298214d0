package io.idem.consumer.internal.key;

import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.internal.method.ExpressionVariables;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * SpEL expression over a message and the listener's arguments. Read-only: no bean, type or constructor can be reached
 * from it.
 */
final class MessageExpression {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String text;
    private final SpelExpression expression;
    private final String @Nullable [] names;

    /**
     * Parses the expression of a listener.
     *
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the listener does not have
     */
    MessageExpression(String text, Method listener) {
        this.text = text;
        this.expression = new SpelExpressionParser().parseRaw(text);
        ExpressionVariables.check(expression.getAST(), listener);
        this.names = NAMES.getParameterNames(listener);
    }

    @Nullable Object evaluate(DeliveredMessage message, @Nullable Object[] arguments) {
        try {
            return expression.getValue(context(message, arguments));
        } catch (InvalidKeyException known) {
            throw known;
        } catch (RuntimeException failed) {
            throw invalid(message, failed);
        }
    }

    /** Explains a failed evaluation. SpEL passes on unchanged the exceptions of the methods that it calls. */
    private InvalidKeyException invalid(DeliveredMessage message, RuntimeException failed) {
        InvalidKeyException invalid = new InvalidKeyException(this + " failed on " + message + ": " + failed);
        invalid.initCause(failed);
        return invalid;
    }

    /** Returns whether it needs the listener's arguments: {@code args}, or a parameter by its name. */
    boolean readsArguments() {
        return readsArguments(expression.getAST());
    }

    private static boolean readsArguments(SpelNode node) {
        String text = node.toStringAST();
        boolean variable = node instanceof VariableReference && !text.equals("#root") && !text.equals("#this");
        boolean arguments = node instanceof PropertyOrFieldReference && text.equals("args");
        return variable
                || arguments
                || IntStream.range(0, node.getChildCount()).anyMatch(child -> readsArguments(node.getChild(child)));
    }

    private SimpleEvaluationContext context(DeliveredMessage message, @Nullable Object[] arguments) {
        Map<String, Object> root =
                Map.of("headers", new HeaderMap(message), "args", arguments, "message", message.source());
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                        new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess())
                .withInstanceMethods()
                .withRootObject(root)
                .build();
        for (int i = 0; names != null && i < names.length; i++) {
            context.setVariable(names[i], arguments[i]);
        }
        return context;
    }

    @Override
    public String toString() {
        return "key expression \"" + text + "\"";
    }
}
