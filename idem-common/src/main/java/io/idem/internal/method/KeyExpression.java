package io.idem.internal.method;

import io.idem.InvalidKeyException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * SpEL expression over the arguments of a method. Read-only: no bean, type or constructor can be reached from it.
 * Thread-safe.
 */
public final class KeyExpression {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Set<String> ALWAYS_THERE = Set.of("#root", "#this");

    private final String text;
    private final String name;
    private final SpelExpression expression;
    private final String @Nullable [] parameters;
    private final boolean readsArguments;

    /**
     * Parses the expression of a method.
     *
     * @param name names the expression in messages
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the method does not have
     */
    public KeyExpression(String text, String name, Method method) {
        this.text = text;
        this.name = name;
        this.expression = new SpelExpressionParser().parseRaw(text);
        this.parameters = NAMES.getParameterNames(method);
        Set<String> variables = nodes(expression.getAST())
                .filter(VariableReference.class::isInstance)
                .map(SpelNode::toStringAST)
                .filter(variable -> !ALWAYS_THERE.contains(variable))
                .collect(Collectors.toSet());
        checkParameters(variables, method);
        this.readsArguments = !variables.isEmpty()
                || nodes(expression.getAST())
                        .anyMatch(node -> node instanceof PropertyOrFieldReference
                                && node.toStringAST().equals("args"));
    }

    private static Stream<SpelNode> nodes(SpelNode node) {
        return Stream.concat(
                Stream.of(node),
                IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(KeyExpression::nodes));
    }

    /**
     * Checks the variables. One that is not a parameter of the method would be null in every call, and a misspelt name
     * would make dead letters of all messages.
     */
    private void checkParameters(Set<String> variables, Method method) {
        if (parameters == null && !variables.isEmpty()) {
            throw new IllegalArgumentException("the names of " + method.getName()
                    + "'s parameters are not in its class file; compile with -parameters, or use args[0] and so on");
        }
        List<String> known = Stream.of(parameters == null ? new String[0] : parameters)
                .map("#"::concat)
                .toList();
        variables.stream()
                .filter(variable -> !known.contains(variable))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException(unknown + " is no parameter of " + method.getName()
                            + "; there are " + (known.isEmpty() ? "none" : String.join(", ", known)));
                });
    }

    /** Returns whether it needs the arguments: {@code args}, or a parameter by its name. */
    public boolean readsArguments() {
        return readsArguments;
    }

    @Nullable Object evaluate(@Nullable Object[] arguments) {
        return evaluate(arguments, Map.of("args", arguments), "");
    }

    /**
     * Returns the value for a call.
     *
     * @param root what the expression reads by name
     * @param of what the call is about, for messages; empty for nothing
     * @throws InvalidKeyException if the expression fails, or a method that it calls throws
     */
    public @Nullable Object evaluate(@Nullable Object[] arguments, Map<String, Object> root, Object of) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                        new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess())
                .withInstanceMethods()
                .withRootObject(root)
                .build();
        for (int i = 0; parameters != null && i < parameters.length; i++) {
            context.setVariable(parameters[i], arguments[i]);
        }
        try {
            return expression.getValue(context);
        } catch (InvalidKeyException known) {
            throw known;
        } catch (RuntimeException failed) {
            // SpEL passes on unchanged the exceptions of the methods that it calls.
            InvalidKeyException invalid =
                    new InvalidKeyException(this + " failed" + (of.equals("") ? "" : " on " + of) + ": " + failed);
            invalid.initCause(failed);
            throw invalid;
        }
    }

    String text() {
        return text;
    }

    @Override
    public String toString() {
        return name;
    }
}
