package io.idem.http.contract;

import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts each application that an {@link AppTest} asks for once, and stops it after the last test class. */
final class SharedApps implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(SharedApps.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == App.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        AppTest wanted = context.getRequiredTestClass().getAnnotation(AppTest.class);
        List<Object> sameApp = List.of(wanted.type(), wanted.value(), List.of(wanted.settings()));
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        sameApp, unused -> App.start(wanted.type(), wanted.value(), wanted.settings()), App.class);
    }
}
