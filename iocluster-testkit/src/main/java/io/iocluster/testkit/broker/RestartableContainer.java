package io.iocluster.testkit.broker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;

/** A container that can be stopped and started with the same data and ports. Owned by its broker. */
public final class RestartableContainer {

    private static final int STOP_SECONDS = 30;

    private final GenericContainer<?> container;

    /**
     * Binds fixed host ports to container ports.
     *
     * @param container not yet started
     * @param hostPorts container port by host port
     */
    public RestartableContainer(GenericContainer<?> container, Map<Integer, Integer> hostPorts) {
        this.container = container;
        container.withCreateContainerCmdModifier(create -> {
            HostConfig host = create.getHostConfig() == null ? HostConfig.newHostConfig() : create.getHostConfig();
            create.withHostConfig(host.withPortBindings(hostPorts.entrySet().stream()
                    .map(port -> PortBinding.parse("127.0.0.1:" + port.getKey() + ":" + port.getValue()))
                    .toList()));
        });
    }

    public void start() {
        docker().startContainerCmd(container.getContainerId()).exec();
    }

    public void stop() {
        docker().stopContainerCmd(container.getContainerId())
                .withTimeout(STOP_SECONDS)
                .exec();
    }

    public void kill() {
        docker().killContainerCmd(container.getContainerId()).exec();
    }

    public void pause() {
        docker().pauseContainerCmd(container.getContainerId()).exec();
    }

    public void unpause() {
        docker().unpauseContainerCmd(container.getContainerId()).exec();
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }
}
