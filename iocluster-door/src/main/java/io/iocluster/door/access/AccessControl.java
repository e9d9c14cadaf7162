package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.producer.AppName;
import io.iocluster.settings.LoopbackHost;
import io.iocluster.thread.NodeClock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLSession;

/**
 * Finds the app of a request, or refuses the request. If one app has a token, every call needs a token. Without tokens the client
 * certificate names the app, and without certificates a header does. A request without a token to a door on loopback must name a
 * loopback host, because the browser of a web page whose DNS name was rebound to this machine sends that DNS name. Thread-safe.
 */
public final class AccessControl {

    private static final Denied NO_CERTIFICATE =
            new Denied(false, "the caller needs a client certificate, whose common name is the name of an app");

    private final boolean certificateRequired;
    private final boolean onLoopback;
    private final Function<SSLSession, X509Certificate> certificates;
    private final NodeClock clock;
    private final App unknown;
    private volatile Apps known;

    /** The apps before the last change, and those that earlier changes removed while they had open calls. */
    @GuardedBy("this")
    private final Map<String, App> earlierApps = new HashMap<>();

    private record Token(byte[] bytes, App app) {}

    /** The configured apps. Immutable, except for the limits of the apps. */
    private record Apps(boolean tokenRequired, List<Token> tokens, Map<String, App> byName) {}

    /**
     * Creates the access control of one door.
     *
     * @param onLoopback whether the door listens on a loopback address
     * @param certificates returns the certificate of a caller; null if there is none that may still be used
     */
    public AccessControl(
            DoorSettings settings,
            boolean onLoopback,
            Function<SSLSession, X509Certificate> certificates,
            NodeClock clock) {
        this.clock = clock;
        this.certificates = certificates;
        this.unknown = App.unlimited(AppName.UNKNOWN, clock);
        this.onLoopback = onLoopback;
        certificateRequired = settings.tls().requiresClientCertificate();
        known = apps(settings, Map.of());
    }

    /** Applies other apps, tokens and limits of apps. An app keeps its open calls, also if it is removed and added again. */
    public synchronized void update(DoorSettings settings) {
        known.byName().values().forEach(app -> earlierApps.put(app.name(), app));
        earlierApps
                .values()
                .removeIf(app -> !app.hasOpenCalls() && !known.byName().containsKey(app.name()));
        known = apps(settings, earlierApps);
    }

    private Apps apps(DoorSettings settings, Map<String, App> before) {
        List<Token> tokens = new ArrayList<>();
        Map<String, App> byName = new HashMap<>();
        for (DoorAppSettings each : settings.apps()) {
            App app = before.get(each.name());
            if (app == null) {
                app = new App(each, clock);
            } else {
                app.update(each);
            }
            byName.put(each.name(), app);
            if (!each.token().isEmpty()) {
                tokens.add(new Token(bytes(each.token()), app));
            }
        }
        return new Apps(settings.requiresToken(), tokens, byName);
    }

    /**
     * Creates the access control for the address of the door.
     *
     * @param certificates returns the certificate of a caller; null if there is none that may still be used
     * @throws IOException if the address is unknown, or if it is not a loopback address and callers need neither a token nor a certificate
     */
    public static AccessControl of(
            DoorSettings settings, Function<SSLSession, X509Certificate> certificates, NodeClock clock)
            throws IOException {
        boolean onLoopback = InetAddress.getByName(settings.host()).isLoopbackAddress();
        boolean authenticates = settings.requiresToken() || settings.tls().requiresClientCertificate();
        if (!onLoopback && !authenticates) {
            throw new IOException("door.host: " + settings.host()
                    + " is not a loopback address; give an app in door.apps a token, or set door.tls.client-ca");
        }
        return new AccessControl(settings, onLoopback, certificates, clock);
    }

    /** Returns the common name in the certificate of a caller; null if there is no certificate that may still be used. */
    public String certificateName(SSLSession session) {
        X509Certificate certificate = session == null ? null : certificates.apply(session);
        return certificate == null ? null : ClientCertificate.commonName(certificate);
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
        if (certificateRequired && caller.certificateName() == null) {
            return NO_CERTIFICATE;
        }
        Apps apps = known;
        if (apps.tokenRequired()) {
            return checkToken(apps, caller.token());
        }
        return certificateRequired
                ? checkCertificate(apps, caller.certificateName())
                : checkHost(caller, app(apps, caller.appHeader()));
    }

    /** Decides about a request for what the door does now. The door's own console may make it too. */
    public Decision checkStatus(Caller caller) {
        return check(caller.isFromSameOrigin() ? caller.withoutFetchSite() : caller);
    }

    /** Denies a caller whose certificate does not name an app, because all of them would share the answers of one app. */
    private Decision checkCertificate(Apps apps, String name) {
        App app = app(apps, name);
        return app == unknown
                ? new Denied(
                        false,
                        "the common name of the client certificate must be that of an app: up to 64 letters, digits and any"
                                + " of . _ -")
                : new Allowed(app);
    }

    /** Decides about a request that needs no token and makes no call, such as one for the OpenAPI document. */
    public Decision checkOpen(Caller caller) {
        if (isFromWebPage(caller)) {
            return new Denied(false, "requests of web pages are not allowed");
        }
        return certificateRequired && caller.certificateName() == null ? NO_CERTIFICATE : checkHost(caller, unknown);
    }

    /** Decides about a request for the metrics, which needs the token of any app if one app has a token. */
    public Decision checkMetrics(Caller caller) {
        Decision open = checkOpen(caller);
        Apps apps = known;
        return open instanceof Allowed && apps.tokenRequired() ? checkToken(apps, caller.token()) : open;
    }

    private Decision checkHost(Caller caller, App app) {
        return onLoopback && !certificateRequired && !LoopbackHost.isAskedFor(caller.host())
                ? new Denied(false, "the header Host must name a loopback address, such as 127.0.0.1:8081")
                : new Allowed(app);
    }

    private static Decision checkToken(Apps apps, String given) {
        if (given == null) {
            return new Denied(true, "the request needs the token of an app");
        }
        byte[] bytes = bytes(given);
        App found = null;
        for (Token token : apps.tokens()) {
            // Does not stop at a match, so that the time does not depend on the position of the token.
            if (MessageDigest.isEqual(token.bytes(), bytes)) {
                found = token.app();
            }
        }
        return found == null ? new Denied(true, "no app in door.apps has this token") : new Allowed(found);
    }

    private App app(Apps apps, String name) {
        if (name == null || !AppName.isValid(name) || AppName.isReserved(name)) {
            return unknown;
        }
        App configured = apps.byName().get(name);
        return configured == null ? App.unlimited(name, clock) : configured;
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
