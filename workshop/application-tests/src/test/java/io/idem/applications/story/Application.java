package io.idem.applications.story;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An application and its expected outcome.
 *
 * @param name the name for reports
 * @param configuration the particular configuration, as written on the page
 * @param transport the transport of its messages or requests
 * @param outcome the expected outcome
 * @param sources its classes
 * @param settings its own settings, without the addresses of the servers
 * @param traits the properties that the harness needs to know
 * @param proof the check in addition to the stories
 * @param words the words that its refusal, error or warning must contain
 */
public record Application(
        String name,
        String configuration,
        Transport transport,
        Outcome outcome,
        List<Class<?>> sources,
        Map<String, String> settings,
        Set<Trait> traits,
        Proof proof,
        List<String> words) {

    private static final String ON_INBOX_ALONE = " on the inbox alone";

    /** Creates an application with an expected outcome. */
    public static Application of(Transport transport, Class<?> source, String configuration, Outcome outcome) {
        return new Application(
                transport.title() + " " + source.getSimpleName(),
                configuration,
                transport,
                outcome,
                List.of(source),
                Map.of(),
                Set.of(),
                Proof.NONE,
                List.of());
    }

    /** Returns a copy with additional settings, each written {@code name=value}. */
    public Application with(String... added) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        for (String setting : added) {
            int equals = setting.indexOf('=');
            all.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return new Application(name, configuration, transport, outcome, sources, all, traits, proof, words);
    }

    /** Returns a variant whose only store is the inbox. */
    public Application onInboxAlone(Outcome expected, List<String> saying) {
        Map<String, String> rest = new LinkedHashMap<>(settings);
        rest.keySet().removeIf(setting -> setting.startsWith("idem.jdbc."));
        return new Application(
                        name + ON_INBOX_ALONE,
                        configuration,
                        transport,
                        expected,
                        sources,
                        rest,
                        Set.of(),
                        proof,
                        saying)
                .is(traits.toArray(Trait[]::new))
                .is(Trait.DATABASE, Trait.INBOX_ALONE);
    }

    public Application named(String newName) {
        return new Application(newName, configuration, transport, outcome, sources, settings, traits, proof, words);
    }

    /** Returns a copy with an additional class. */
    public Application and(Class<?> source) {
        List<Class<?>> all = new java.util.ArrayList<>(sources);
        all.add(source);
        return new Application(name, configuration, transport, outcome, all, settings, traits, proof, words);
    }

    /** Returns a copy with additional traits. */
    public Application is(Trait... added) {
        Set<Trait> all = EnumSet.noneOf(Trait.class);
        all.addAll(traits);
        all.addAll(List.of(added));
        return new Application(name, configuration, transport, outcome, sources, settings, all, proof, words);
    }

    /** Returns a copy with a proof. */
    public Application proving(Proof particular) {
        return new Application(name, configuration, transport, outcome, sources, settings, traits, particular, words);
    }

    /** Returns a copy whose refusal, error or warning must contain these words. */
    public Application saying(String... expected) {
        return new Application(
                name, configuration, transport, outcome, sources, settings, traits, proof, List.of(expected));
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public String toString() {
        return name;
    }
}
