package io.idem.workshop.simulation.rewrite;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads idem, its retries and the simulated world with virtual time. All other classes, including those of the
 * simulation itself, come from the parent loader.
 */
public final class SimulatedLoader extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    public SimulatedLoader(ClassLoader around) {
        super(around);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isRewritten(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }

    private static boolean isRewritten(String name) {
        boolean simulated = name.startsWith("io.idem.") || name.startsWith("io.github.resilience4j.");
        return simulated
                && !name.startsWith("io.idem.workshop.simulation.kernel.")
                && !name.startsWith("io.idem.workshop.simulation.rewrite.");
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] rewritten = Rewriter.rewritten(bytes.readAllBytes());
            return defineClass(name, rewritten, 0, rewritten.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
