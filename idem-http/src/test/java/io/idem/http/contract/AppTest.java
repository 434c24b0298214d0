package io.idem.http.contract;

import io.idem.servers.junit.LinesNameTheirRecord;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;

/** Gives the constructor of a test class its {@link App}; classes that want the same one share it. */
@Tag("servers")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({SharedApps.class, LinesNameTheirRecord.class})
public @interface AppTest {

    Class<?> value();

    WebApplicationType type() default WebApplicationType.SERVLET;

    String[] settings() default {
        "idem.http.tenant=SINGLE",
        "idem.http.max-request-body=2KB",
        "idem.http.max-response-body=64KB",
        "idem.http.routes[0].path=/orders/**",
        "idem.http.routes[1].path=/orders/optional",
        "idem.http.routes[1].required=false",
        "idem.http.routes[2].path=/orders/{id}",
        "idem.http.routes[2].methods=put,DELETE"
    };
}
