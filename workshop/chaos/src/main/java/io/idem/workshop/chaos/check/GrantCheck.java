package io.idem.workshop.chaos.check;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks the promises about grants: fences and the count of attempts. Pure functions. */
public final class GrantCheck {

    private GrantCheck() {}

    /**
     * Returns keys, with their scopes, that were granted as new although an earlier grant of theirs has a smaller
     * fence.
     */
    public static List<String> begunAnew(Collection<Grant> grants) {
        return each(grants.stream().filter(grant -> !grant.repeated()), grant -> grant.scope() + " " + grant.key())
                .filter(GrantCheck::isBegunAnew)
                .map(ofOne -> ofOne.get(0).scope() + " " + ofOne.get(0).key())
                .sorted()
                .toList();
    }

    private static boolean isBegunAnew(List<Grant> ofOne) {
        long first = ofOne.stream().mapToLong(Grant::fence).min().orElseThrow();
        return ofOne.stream().anyMatch(grant -> grant.fresh() && grant.fence() > first);
    }

    /**
     * Returns keys, with their scopes, whose fence is not above that of an earlier claim.
     *
     * @param grants the grants in the order of their claims
     */
    public static List<String> repeatedFences(Collection<Grant> grants) {
        return each(grants.stream(), grant -> grant.scope() + " " + grant.key())
                .filter(ofOne -> !isGrowing(ofOne))
                .map(ofOne -> ofOne.get(0).scope() + " " + ofOne.get(0).key())
                .sorted()
                .toList();
    }

    private static boolean isGrowing(List<Grant> ofOne) {
        return IntStream.range(1, ofOne.size())
                .allMatch(number ->
                        ofOne.get(number).fence() > ofOne.get(number - 1).fence());
    }

    /** Returns keys that contain {@code name} and whose effect came from their first attempt. */
    public static List<String> firstAttempts(Collection<Effect> effects, String name) {
        return effects.stream()
                .filter(effect -> effect.key().contains(name) && effect.attempt() == 1)
                .map(Effect::key)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns keys with two effects under one fence: the fence cannot be used to refuse the second one. */
    public static List<String> sharedFences(Collection<Effect> effects) {
        return each(effects.stream(), effect -> effect.lane() + " " + effect.key() + " " + effect.fence())
                .filter(ofOne -> ofOne.size() > 1)
                .map(ofOne -> ofOne.get(0).key())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns keys whose effect did not come from their first grant. */
    public static List<String> laterAttempts(Collection<Effect> effects) {
        return effects.stream()
                .filter(effect -> effect.attempt() > 1)
                .map(Effect::key)
                .distinct()
                .sorted()
                .toList();
    }

    private static <T> Stream<List<T>> each(Stream<T> all, Function<T, String> name) {
        return all.collect(Collectors.groupingBy(name)).values().stream();
    }
}
