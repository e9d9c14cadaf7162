package io.iocluster.node.admin;

import io.iocluster.node.config.BuildInfo;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.status.StatusField;
import io.iocluster.status.json.StatusMapper;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The part of {@code /api/status} that every node has. Immutable. */
public record NodeStatus(
        @StatusField(doc = "the node's name") String node,
        @StatusField(doc = "the version of the program") String version,
        @StatusField long uptimeSeconds,
        @StatusField(inline = true) PipelineStatus pipeline) {

    /**
     * Returns the whole response.
     *
     * @param sections the features' fields, in output order
     * @param tokenRequired whether {@code admin.token} is set
     */
    public static ObjectNode json(NodeControl node, List<StatusSection> sections, boolean tokenRequired) {
        ObjectNode status = StatusMapper.object(of(node.id(), node.uptime(), node.status()));
        sections.forEach(section -> status.set(section.field(), section.json().get()));
        return status.put("tokenRequired", tokenRequired);
    }

    static NodeStatus of(String node, Duration uptime, PipelineStatus pipeline) {
        return new NodeStatus(node, BuildInfo.VERSION, uptime.toSeconds(), pipeline);
    }
}
