package io.idem.benchmarks.database;

import io.idem.benchmarks.Exclusions;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts ordinary, auto-configured applications on the database of a way. */
final class Applications {

    private Applications() {}

    /** Starts an application with idem. */
    static ConfigurableApplicationContext start(Class<?> beans, WayDatabase database, Map<String, Object> settings) {
        return onDatabase(Exclusions.of(Exclusions.MODULITH), beans, database, settings);
    }

    /** Starts an application without idem, with what else is on the class path. */
    static ConfigurableApplicationContext startPeer(
            Class<?> beans, WayDatabase database, Map<String, Object> settings) {
        return onDatabase(Exclusions.of(Exclusions.IDEM), beans, database, settings);
    }

    /** Starts an application with idem and without a database, which the settings exclude. */
    static ConfigurableApplicationContext startWithoutDatabase(Class<?> beans, Map<String, Object> settings) {
        return run(WebApplicationType.NONE, beans, settings);
    }

    /** Starts a web application with idem and without a database, which the settings exclude. */
    static ServletWebServerApplicationContext startWeb(Class<?> beans, Map<String, Object> settings) {
        return (ServletWebServerApplicationContext) run(WebApplicationType.SERVLET, beans, settings);
    }

    /** Starts a web application without idem and without a database. */
    static ServletWebServerApplicationContext startBareWeb(Class<?> beans, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(Exclusions.SETTING, settings.get(Exclusions.SETTING) + "," + Exclusions.of(Exclusions.IDEM));
        return startWeb(beans, all);
    }

    private static ConfigurableApplicationContext onDatabase(
            String excluded, Class<?> beans, WayDatabase database, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(database.settings());
        all.put(Exclusions.SETTING, excluded);
        return run(WebApplicationType.NONE, beans, all);
    }

    private static ConfigurableApplicationContext run(
            WebApplicationType web, Class<?> beans, Map<String, Object> settings) {
        return new SpringApplicationBuilder(Application.class, beans)
                .web(web)
                .properties(settings)
                .run();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** No beans but the auto-configured ones. */
    static class Empty {}
}
