package io.idem.applications.mutation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The outcome of a row.
 *
 * @param words of the refusal, of the stop, or what was lost or done twice
 */
record Verdict(Outcome outcome, String words) {

    private static final int LONGEST = 160;
    private static final Pattern IDEM = Pattern.compile("io[./]idem[./](?!applications)");

    /** Reads a refusal: the innermost failure that tells of idem, or else the innermost one. */
    static Verdict refused(Throwable failure, Mutation mutation) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable one = failure; one != null && !causes.contains(one); one = one.getCause()) {
            causes.add(0, one);
        }
        Throwable telling = causes.stream()
                .filter(one -> isOfIdem(one.getClass().getName()))
                .findFirst()
                .orElse(causes.get(0));
        boolean forIdem = causes.stream().anyMatch(one -> concernsIdem(one) || names(one, mutation));
        return new Verdict(forIdem ? Outcome.REFUSED : Outcome.BROKEN, words(telling));
    }

    private static boolean concernsIdem(Throwable one) {
        return isOfIdem(one.getClass().getName())
                || Arrays.stream(one.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .anyMatch(Verdict::isOfIdem)
                || IDEM.matcher(Objects.requireNonNullElse(one.getMessage(), ""))
                        .find();
    }

    /** Whether it tells of a name that only idem's classes still have. */
    private static boolean names(Throwable one, Mutation mutation) {
        String text = Objects.requireNonNullElse(one.getMessage(), "").replace('/', '.');
        return mutation.owners().stream().map(owner -> owner.replace('/', '.')).anyMatch(text::contains);
    }

    private static boolean isOfIdem(String type) {
        return type.startsWith("io.idem.") && !type.startsWith("io.idem.applications.");
    }

    private static String words(Throwable one) {
        String text = one.getClass().getSimpleName() + ": "
                + Objects.requireNonNullElse(one.getMessage(), "")
                        .replaceAll("\\s+", " ")
                        .replaceAll("\\$\\$Lambda\\S*", "\\$\\$Lambda");
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
