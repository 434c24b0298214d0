package io.idem.http.servlet;

import com.example.shop.ServletGuards;
import com.example.shop.scanned.ScannedGuard;
import io.idem.http.contract.LaterFiltersContract;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.web.servlet.handler.UserRoleAuthorizationInterceptor;

class LaterFiltersTest extends LaterFiltersContract {

    LaterFiltersTest() {
        super(WebApplicationType.SERVLET, ServletGuards.Unordered.class, ServletGuards.InFront.class);
    }

    @Override
    protected List<Object[]> behind() {
        return List.of(
                new Object[] {ServletGuards.Unordered.class, "unordered"},
                new Object[] {ServletGuards.Lambda.class, "lambda"},
                new Object[] {ServletGuards.Intercepted.class, ServletGuards.Interceptor.class.getName()},
                new Object[] {ServletGuards.InterceptedForWeb.class, ServletGuards.WebInterceptor.class.getName()},
                new Object[] {ServletGuards.InterceptedInPart.class, ServletGuards.Interceptor.class.getName()},
                new Object[] {ServletGuards.InterceptedByRole.class, UserRoleAuthorizationInterceptor.class.getName()},
                new Object[] {ServletGuards.Initializer.class, "initialized"},
                new Object[] {ServletGuards.SamePath.class, "samePath"},
                new Object[] {ServletGuards.OwnServletPath.class, "belowPath"},
                new Object[] {ServletGuards.SecondServlet.class, "ofAdmin"},
                new Object[] {ServletGuards.OfForwards.class, "ofForwards"},
                new Object[] {ServletGuards.OfAsyncDispatches.class, "ofAsyncDispatches"});
    }

    @Override
    protected List<Object[]> furtherBehind() {
        return List.of(
                new Object[] {ServletGuards.Unordered.class, ServletGuards.Guard.class.getName()},
                new Object[] {ServletGuards.Anonymous.class, "anonymous"},
                new Object[] {ServletGuards.Proxied.class, "proxied"},
                new Object[] {ServletGuards.Composite.class, "composite"},
                new Object[] {ServletGuards.Delegating.class, "target"},
                new Object[] {ServletGuards.DelegatingByHand.class, "target"},
                new Object[] {ServletGuards.MatchedAfter.class, "matchedAfter"},
                new Object[] {ServletGuards.ByServlet.class, "byServlet"},
                new Object[] {ServletGuards.OtherServlet.class, "ofOther"},
                new Object[] {ServletGuards.IdemElsewhere.class, "anywhere"},
                new Object[] {ServletGuards.Scanned.class, ScannedGuard.class.getName()});
    }

    @Override
    protected List<Class<?>> harmless() {
        return List.of(
                ServletGuards.Disabled.class,
                ServletGuards.InterceptedElsewhere.class,
                ServletGuards.OtherPath.class,
                ServletGuards.OtherDispatch.class,
                ServletGuards.Cors.class);
    }

    @Override
    protected List<Object[]> securityBehind() {
        return List.of(
                new Object[] {ServletGuards.Api.class, "spring.security.filter.order=10"},
                new Object[] {ServletGuards.SecurityByHand.class, "spring.main.lazy-initialization=false"},
                new Object[] {ServletGuards.SecuritySubclass.class, "spring.main.lazy-initialization=false"});
    }
}
