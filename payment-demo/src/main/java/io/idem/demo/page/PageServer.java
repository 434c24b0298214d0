package io.idem.demo.page;

import java.net.URI;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page, served on the loopback address. */
public final class PageServer implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private PageServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts the server and returns when it accepts requests. Port 0 means any. */
    public static PageServer start(int port, Playground playground) {
        return new PageServer(new SpringApplicationBuilder(PageApplication.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("playground", playground))
                .registerShutdownHook(false)
                .run(
                        "--spring.config.name=page",
                        "--spring.main.banner-mode=off",
                        "--spring.web.resources.static-locations=classpath:/page/",
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--server.shutdown=immediate"));
    }

    /** Returns the address of the page. */
    public URI uri() {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    @Override
    public void close() {
        context.close();
    }
}
