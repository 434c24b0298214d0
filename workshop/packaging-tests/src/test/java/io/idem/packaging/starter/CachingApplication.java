package io.idem.packaging.starter;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** An application with a cache and whatever its class path switches on. It has no Redis and uses no broker. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
public class CachingApplication {

    /** The class of every bean, by the bean's name. Called by reflection, in a class loader of the application's own. */
    public static Map<String, String> beans(Map<String, Object> settings) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(CachingApplication.class)
                .properties(settings)
                .run()) {
            Map<String, String> beans = new HashMap<>();
            for (String name : context.getBeanDefinitionNames()) {
                Class<?> type = context.getType(name);
                beans.put(name, type == null ? "null" : name(ClassUtils.getUserClass(type)));
            }
            return beans;
        }
    }

    /** Names of lambdas end with a number that differs from run to run. */
    private static String name(Class<?> type) {
        return type.getName().replaceFirst("\\$\\$Lambda.*", "");
    }
}
