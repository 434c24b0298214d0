package io.idem;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The policies of an application's scopes. Settings of a listener or route win over those of its scope, and those win
 * over the settings for all scopes. Immutable.
 */
public final class ScopePolicies {

    private final ExecutionPolicy defaults;
    private final Map<Scope, PolicyOverrides> scopes;
    private final Function<String, Reconciler> reconcilers;
    private final boolean remembered;

    /**
     * Creates the policies.
     *
     * @param defaults the policy of a scope without settings
     * @param scopes the changes of single scopes
     * @param reconcilers finds a reconciler by its name, or the only one if the name is empty; throws
     *     {@link IllegalArgumentException} if there is none
     */
    public ScopePolicies(
            ExecutionPolicy defaults, Map<Scope, PolicyOverrides> scopes, Function<String, Reconciler> reconcilers) {
        this(defaults, scopes, reconcilers, true);
    }

    private ScopePolicies(
            ExecutionPolicy defaults,
            Map<Scope, PolicyOverrides> scopes,
            Function<String, Reconciler> reconcilers,
            boolean remembered) {
        this.defaults = defaults;
        this.scopes = Map.copyOf(scopes);
        this.reconcilers = reconcilers;
        this.remembered = remembered;
    }

    /** Returns policies with the same policy for all scopes and without named reconcilers. */
    public static ScopePolicies same(ExecutionPolicy policy) {
        return new ScopePolicies(policy, Map.of(), name -> {
            throw new IllegalArgumentException("reconciler \"" + name + "\" is not known here");
        });
    }

    /**
     * Returns a copy for an application in which idem is switched off: attempts are not counted, so idem must not own a
     * retry that only the limit of attempts ends.
     */
    public ScopePolicies forgetful() {
        return new ScopePolicies(defaults, scopes, reconcilers, false);
    }

    /** Returns whether attempts are counted; false where idem is switched off. */
    public boolean attemptsAreCounted() {
        return remembered;
    }

    /** Returns the policy of scopes without settings of their own. */
    public ExecutionPolicy all() {
        return defaults;
    }

    /** Returns the policy of a scope. */
    public ExecutionPolicy of(Scope scope) {
        return of(scope, defaults);
    }

    /**
     * Returns the policy of a scope whose participant has defaults of its own.
     *
     * @throws IllegalArgumentException if these and the settings of the scope do not fit together
     */
    public ExecutionPolicy of(Scope scope, ExecutionPolicy base) {
        return scopes.getOrDefault(scope, PolicyOverrides.NONE).applyTo(base);
    }

    /** Returns the scopes that have settings of their own. */
    public Set<Scope> scopes() {
        return scopes.keySet();
    }

    /**
     * Returns the takeover policy of a mode.
     *
     * @param reconciler the name of the reconciler; empty for the only one
     * @throws IllegalArgumentException if the mode needs a reconciler and there is none of this name
     */
    public TakeoverPolicy takeover(TakeoverMode mode, String reconciler) {
        return switch (mode) {
            case RERUN -> TakeoverPolicy.rerun();
            case REJECT -> TakeoverPolicy.reject();
            case RECONCILE -> TakeoverPolicy.reconcile(reconcilers.apply(reconciler));
        };
    }
}
