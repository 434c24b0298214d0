package io.idem;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The policies of an application's scopes. What a listener or a route says itself wins over its scope's settings, and those
 * win over the settings for all scopes. Immutable.
 */
public final class ScopePolicies {

    private final ExecutionPolicy defaults;
    private final Map<Scope, PolicyOverrides> scopes;
    private final Function<String, Reconciler> reconcilers;
    private final boolean remembered;

    /**
     * Policies.
     *
     * @param defaults for every scope
     * @param scopes what single scopes change
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

    /** The same policy for all scopes; knows no reconciler by name. */
    public static ScopePolicies same(ExecutionPolicy policy) {
        return new ScopePolicies(policy, Map.of(), name -> {
            throw new IllegalArgumentException("reconciler \"" + name + "\" is not known here");
        });
    }

    /** The same where idem is switched off: nothing counts attempts, so idem must not own a retry that only their limit ends. */
    public ScopePolicies forgetful() {
        return new ScopePolicies(defaults, scopes, reconcilers, false);
    }

    /** Whether attempts are counted; false where idem is switched off. */
    public boolean attemptsAreCounted() {
        return remembered;
    }

    /** A scope's policy. */
    public ExecutionPolicy of(Scope scope) {
        return of(scope, defaults);
    }

    /**
     * A scope's policy where the participant has defaults of its own.
     *
     * @throws IllegalArgumentException if these and the scope's settings do not fit together
     */
    public ExecutionPolicy of(Scope scope, ExecutionPolicy base) {
        return scopes.getOrDefault(scope, PolicyOverrides.NONE).applyTo(base);
    }

    /** The scopes that have settings of their own. */
    public Set<Scope> scopes() {
        return scopes.keySet();
    }

    /**
     * A takeover policy by name.
     *
     * @param reconciler name of the reconciler; empty for the only one
     * @throws IllegalArgumentException if it reconciles and there is no such reconciler
     */
    public TakeoverPolicy takeover(TakeoverMode mode, String reconciler) {
        return switch (mode) {
            case RERUN -> TakeoverPolicy.rerun();
            case REJECT -> TakeoverPolicy.reject();
            case RECONCILE -> TakeoverPolicy.reconcile(reconcilers.apply(reconciler));
        };
    }
}
