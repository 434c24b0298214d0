package io.idem.internal.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks the variables of a key expression. One that is not a parameter of the method would be null in every call,
 * and a misspelt name would make dead letters of all messages.
 */
public final class ExpressionVariables {

    private static final Set<String> ALWAYS_THERE = Set.of("#root", "#this");

    private ExpressionVariables() {}

    /**
     * Checks the variables of an expression.
     *
     * @throws IllegalArgumentException if one is not a parameter of the method
     */
    public static void check(SpelNode expression, Method method) {
        Set<String> used = Set.copyOf(of(expression).toList());
        String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
        if (names == null && !ALWAYS_THERE.containsAll(used)) {
            throw new IllegalArgumentException("the names of " + method.getName()
                    + "'s parameters are not in its class file; compile with -parameters, or use args[0] and so on");
        }
        List<String> known = Stream.of(names == null ? new String[0] : names)
                .map("#"::concat)
                .toList();
        used.stream()
                .filter(variable -> !known.contains(variable) && !ALWAYS_THERE.contains(variable))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException(unknown + " is no parameter of " + method.getName()
                            + "; there are " + (known.isEmpty() ? "none" : String.join(", ", known)));
                });
    }

    private static Stream<String> of(SpelNode node) {
        Stream<String> own = node instanceof VariableReference ? Stream.of(node.toStringAST()) : Stream.empty();
        return Stream.concat(
                own,
                IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(ExpressionVariables::of));
    }
}
