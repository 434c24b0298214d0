package io.idem.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.Reconciler;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the application's reconcilers by name at start-up, and creates them on first use. */
record Reconcilers(ListableBeanFactory beans) implements Function<String, Reconciler> {

    @Override
    public Reconciler apply(String name) {
        List<String> known = Arrays.asList(beans.getBeanNamesForType(Reconciler.class, true, false));
        String chosen = name.isEmpty() ? only(known) : name;
        require(
                known.contains(chosen),
                "no bean named \"" + chosen + "\" is a " + Reconciler.class.getName() + "; there are " + known);
        return attempt -> beans.getBean(chosen, Reconciler.class).reconcile(attempt);
    }

    private static String only(List<String> known) {
        require(
                known.size() == 1,
                "there are " + known.size() + " beans of type " + Reconciler.class.getName() + " " + known
                        + "; define one, or name the one to ask");
        return known.get(0);
    }
}
