package io.iocluster.door.server;

import io.iocluster.door.route.ConsoleRoute;
import io.iocluster.door.route.DoorRoute;
import io.iocluster.door.route.ForwardRoute;
import io.iocluster.door.route.GetCallRoute;
import io.iocluster.message.RequestEnvelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the route of a request. Immutable. */
final class RouteTable {

    private final List<Entry> entries;

    /** Who may use a route. */
    enum Access {
        /** The apps that {@link io.iocluster.door.access.AccessControl} allows. */
        APP,
        /** The same apps, and the console of the door. */
        STATUS,
        /** Every caller except web pages. Needs no token. */
        OPEN,
        /** Every app. Every caller except web pages if no app has a token. */
        METRICS,
        /**
         * Every caller, because a probe may send any {@code Host} and has no certificate. Also the files of the console, which contain no
         * data.
         */
        PROBE
    }

    /**
     * One method of one path.
     *
     * @param name the name in metrics and logs
     * @param method the method; {@code *} for every method that a call may have
     * @param path the path as in the OpenAPI document
     * @param access who may use it
     */
    record Entry(String name, String method, String path, Access access, DoorRoute route) {

        boolean hasPath(String given) {
            return switch (path) {
                case "/v1/calls/{id}" ->
                    given.startsWith(GetCallRoute.PREFIX) && given.length() > GetCallRoute.PREFIX.length();
                case "/v1/forward/{url}" -> given.startsWith(ForwardRoute.PREFIX);
                case "/console/{file}" -> given.startsWith(ConsoleRoute.PREFIX);
                default -> given.equals(path);
            };
        }

        private Set<String> methods() {
            return method.equals("*") ? RequestEnvelope.METHODS : Set.of(method);
        }

        boolean hasMethod(String given) {
            return methods().contains(given);
        }
    }

    RouteTable(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    List<Entry> all() {
        return entries;
    }

    /** Returns the routes of a path; empty if there is no such path. */
    List<Entry> withPath(String path) {
        List<Entry> found = new ArrayList<>();
        for (Entry each : entries) {
            if (each.hasPath(path)) {
                found.add(each);
            }
        }
        return found;
    }

    /** Returns the methods of these routes for the header {@code Allow}. */
    static String methods(List<Entry> routes) {
        Set<String> methods = new TreeSet<>();
        routes.forEach(each -> methods.addAll(each.methods()));
        return String.join(", ", methods);
    }
}
