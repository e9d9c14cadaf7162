package io.iocluster.node.admin;

/** Serves the operator console of the node. Stateless. */
final class ConsoleFiles {

    private static final byte[] NO_CONTENT = {};

    private ConsoleFiles() {}

    static AdminResponse page(AdminRequest request) {
        return response(request, ConsoleFile.nodePage());
    }

    /** Returns the file with a path below {@link ConsoleFile#PATH_PREFIX}, or an error 404. */
    static AdminResponse file(AdminRequest request) {
        ConsoleFile file = ConsoleFile.find(request.path().substring(ConsoleFile.PATH_PREFIX.length()));
        return file == null
                ? AdminResponse.error(404, "no such console file: " + request.path())
                : response(request, file);
    }

    private static AdminResponse response(AdminRequest request, ConsoleFile file) {
        return file.tag().equals(request.header("If-None-Match"))
                ? new AdminResponse(304, file.type(), NO_CONTENT, file.headers())
                : new AdminResponse(200, file.type(), file.content(), file.headers());
    }
}
