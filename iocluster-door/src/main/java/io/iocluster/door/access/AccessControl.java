package io.iocluster.door.access;

import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.producer.AppName;
import io.iocluster.settings.LoopbackHost;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the app of a request, or refuses the request. If one app has a token, every call needs a token. Without tokens the client
 * certificate names the app, and without certificates a header does. A request without a token to a door on loopback must name a
 * loopback host, because the browser of a web page whose DNS name was rebound to this machine sends that DNS name. Immutable.
 */
public final class AccessControl {

    private final boolean tokenRequired;
    private final boolean certificateRequired;
    private final boolean onLoopback;
    private final List<Token> tokens = new ArrayList<>();
    private final Map<String, App> apps = new HashMap<>();
    private final App unknown = App.unlimited(AppName.UNKNOWN);

    private record Token(byte[] bytes, App app) {}

    /**
     * Creates the access control of one door.
     *
     * @param onLoopback whether the door listens on a loopback address
     */
    public AccessControl(DoorSettings settings, boolean onLoopback) {
        this.onLoopback = onLoopback;
        tokenRequired = settings.requiresToken();
        certificateRequired = settings.tls().requiresClientCertificate();
        for (DoorAppSettings each : settings.apps()) {
            App app = new App(each);
            apps.put(each.name(), app);
            if (!each.token().isEmpty()) {
                tokens.add(new Token(bytes(each.token()), app));
            }
        }
    }

    /** The decision about a request. */
    public sealed interface Decision {}

    /** The request is allowed. */
    public record Allowed(App app) implements Decision {}

    /**
     * The request is refused.
     *
     * @param authenticate whether the request needs another token
     * @param message human-readable
     */
    public record Denied(boolean authenticate, String message) implements Decision {}

    /** Decides about a call. Compares tokens in constant time. */
    public Decision check(Caller caller) {
        if (isFromWebPage(caller)) {
            return new Denied(false, "requests of web pages are not allowed");
        }
        if (tokenRequired) {
            return checkToken(caller.token());
        }
        return certificateRequired
                ? checkCertificate(caller.certificateName())
                : checkHost(caller, app(caller.appHeader()));
    }

    /** Denies a caller whose certificate does not name an app, because all of them would share the answers of one app. */
    private Decision checkCertificate(String name) {
        App app = app(name);
        return app == unknown
                ? new Denied(
                        false,
                        "the common name of the client certificate must be that of an app: up to 64 letters, digits and any"
                                + " of . _ -")
                : new Allowed(app);
    }

    /** Decides about a request that needs no token and makes no call, such as one for the metrics. */
    public Decision checkOpen(Caller caller) {
        return isFromWebPage(caller)
                ? new Denied(false, "requests of web pages are not allowed")
                : checkHost(caller, unknown);
    }

    private Decision checkHost(Caller caller, App app) {
        return onLoopback && !certificateRequired && !LoopbackHost.isAskedFor(caller.host())
                ? new Denied(false, "the header Host must name a loopback address, such as 127.0.0.1:8081")
                : new Allowed(app);
    }

    private Decision checkToken(String given) {
        if (given == null) {
            return new Denied(true, "the request needs the token of an app");
        }
        byte[] bytes = bytes(given);
        App found = null;
        for (Token token : tokens) {
            // Does not stop at a match, so that the time does not depend on the position of the token.
            if (MessageDigest.isEqual(token.bytes(), bytes)) {
                found = token.app();
            }
        }
        return found == null ? new Denied(true, "no app in door.apps has this token") : new Allowed(found);
    }

    private App app(String name) {
        if (name == null || !AppName.isValid(name) || AppName.isReserved(name)) {
            return unknown;
        }
        App configured = apps.get(name);
        return configured == null ? App.unlimited(name) : configured;
    }

    /** Browsers send these headers with requests that a page makes; no page may use the door. */
    private static boolean isFromWebPage(Caller caller) {
        return caller.origin() != null
                || (caller.fetchSite() != null && !caller.fetchSite().equals("none"));
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }
}
