package io.idem.applications.story;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An application and what must become of it.
 *
 * @param name of the application, for reports
 * @param configuration what is particular to it, as it stands on the page
 * @param broker where its messages come from
 * @param outcome what must become of it
 * @param sources its classes
 * @param settings its own, beside the addresses of the servers
 * @param traits what the harness has to know
 * @param proof what is shown beside the stories
 * @param words that its refusal, its error or its warning must contain
 */
public record Application(
        String name,
        String configuration,
        Broker broker,
        Outcome outcome,
        List<Class<?>> sources,
        Map<String, String> settings,
        Set<Trait> traits,
        Proof proof,
        List<String> words) {

    /** One that an outcome is expected of. */
    public static Application of(Broker broker, Class<?> source, String configuration, Outcome outcome) {
        return new Application(
                broker.title() + " " + source.getSimpleName(),
                configuration,
                broker,
                outcome,
                List.of(source),
                Map.of(),
                Set.of(),
                Proof.NONE,
                List.of());
    }

    /** A copy with settings, each written {@code name=value}. */
    public Application with(String... added) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        for (String setting : added) {
            int equals = setting.indexOf('=');
            all.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return new Application(name, configuration, broker, outcome, sources, all, traits, proof, words);
    }

    /** A copy with a name. */
    public Application named(String newName) {
        return new Application(newName, configuration, broker, outcome, sources, settings, traits, proof, words);
    }

    /** A copy with another class. */
    public Application and(Class<?> source) {
        List<Class<?>> all = new java.util.ArrayList<>(sources);
        all.add(source);
        return new Application(name, configuration, broker, outcome, all, settings, traits, proof, words);
    }

    /** A copy with traits. */
    public Application is(Trait... added) {
        Set<Trait> all = EnumSet.noneOf(Trait.class);
        all.addAll(traits);
        all.addAll(List.of(added));
        return new Application(name, configuration, broker, outcome, sources, settings, all, proof, words);
    }

    /** A copy with a proof. */
    public Application proving(Proof particular) {
        return new Application(name, configuration, broker, outcome, sources, settings, traits, particular, words);
    }

    /** A copy that must say these words. */
    public Application saying(String... expected) {
        return new Application(
                name, configuration, broker, outcome, sources, settings, traits, proof, List.of(expected));
    }

    /** Whether it has the trait. */
    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public String toString() {
        return name;
    }
}
