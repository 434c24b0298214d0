package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with placeholders such as {@code {id}}: {@code id} of the operation, the client's {@code key}, its {@code tenant}, and the
 * variables of the route's path. Immutable.
 */
final class TextTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_-]*)}");
    private static final Set<String> ALWAYS_KNOWN = Set.of("id", "key", "tenant");

    private final String text;

    /**
     * A template.
     *
     * @param pathVariables names that requests of the route have a value for
     * @throws IllegalArgumentException if it uses another name
     */
    TextTemplate(String text, Set<String> pathVariables) {
        this.text = text;
        PLACEHOLDER.matcher(text).results().map(found -> found.group(1)).forEach(name -> {
            if (!ALWAYS_KNOWN.contains(name) && !pathVariables.contains(name)) {
                throw new IllegalArgumentException("placeholder {" + name
                        + "} is neither {id}, {key} or {tenant} nor a variable of the route's path");
            }
        });
    }

    /** Whether a name means the same on every route, so that a variable of a path cannot have it. */
    static boolean isAlwaysKnown(String name) {
        return ALWAYS_KNOWN.contains(name);
    }

    /** The text for a request, as it is. */
    String render(IntakeRequest request) {
        return render(request, UnaryOperator.identity());
    }

    String render(IntakeRequest request, UnaryOperator<String> escape) {
        Map<String, String> values = new HashMap<>(request.http().pathVariables());
        values.put("id", request.id());
        values.put("key", request.key().value());
        values.put("tenant", request.key().tenant());
        return fill(name -> escape.apply(values.getOrDefault(name, "")));
    }

    /** The text with a word in every place, to look at its form. */
    String sample() {
        return fill(name -> "x");
    }

    String fill(UnaryOperator<String> valueOf) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(valueOf.apply(found.group(1))));
    }

    @Override
    public String toString() {
        return text;
    }
}
